#include "codegen/plan/partition.h"

#include <algorithm>

#include "codegen/plan/cone.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::NodeId;
using ir::Op;
using ir::OpClass;
using ir::Value;

std::vector<Value> values_of(const std::vector<KernelRoot>& roots) {
  std::vector<Value> values;
  for (const KernelRoot& root : roots) values.push_back(root.value);
  return values;
}

/// A user's parameter may have the name that we would give.
std::string unused_name(const ir::Graph& graph, std::string name) {
  const auto is_used = [&](NodeId id) { return graph.parameter_name(id) == name; };
  while (std::any_of(graph.parameters().begin(), graph.parameters().end(), is_used)) name += '_';
  return name;
}

/// Values that the outputs need, and that some node or output uses.
std::set<Value> used_values(const ir::Graph& graph) {
  std::set<Value> used(graph.outputs().begin(), graph.outputs().end());
  const Cone cone = cone_of(graph, graph.outputs(), [](Value) { return false; });
  for (const NodeId id : cone.nodes) {
    used.insert(graph.node(id).operands.begin(), graph.node(id).operands.end());
  }
  return used;
}

}  // namespace

bool is_free(const ir::Graph& graph, NodeId id) {
  const ir::Node& node = graph.node(id);
  const OpClass op_class = ir::info(node.op).op_class;
  if (op_class == OpClass::Leaf || op_class == OpClass::View) return true;
  if (node.op != Op::Cast) return false;
  const DType from = graph.type(node.operands.at(0)).dtype;
  const DType to = node.results.at(0).dtype;
  return ir::is_lossless_cast(from, to) && ir::bits(to) > ir::bits(from);
}

Partition::Partition(const ir::Graph& graph, const Target& target,
                     std::span<const Schedule> schedules, const PlanOptions& options)
    : graph_(graph), target_(target), schedules_(schedules), options_(options) {
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    output_names_[graph.outputs()[i]].push_back(unused_name(graph, fmt::format("out{}", i)));
  }
  const std::set<Value> used = used_values(graph);
  std::map<NodeId, std::vector<KernelRoot>> roots;
  for (const Value value : used) {
    if (is_free(graph, value.node) && !is_output(value)) continue;
    std::vector<std::string> names;
    if (is_output(value)) names = output_names_.at(value);
    if (names.empty()) {
      names.push_back(unused_name(graph, fmt::format("tmp{}_{}", value.node, value.result)));
    }
    for (const std::string& name : names) roots[value.node].push_back({value, name});
    // Readers of an output that is a parameter or a view read what it is a view of.
    if (!is_free(graph, value.node)) names_[value] = names.front();
  }
  for (auto& [id, list] : roots) {
    Part part = make_part(std::move(list), {});
    support::check(part.choice.schedule != nullptr, "no schedule accepts {} ({}): {}",
                   ir::to_string(graph.node(id).op), graph.name(), part.choice.refusal);
    add_part(std::move(part));
  }
}

void Partition::add_part(Part part) {
  for (const KernelRoot& root : part.roots) {
    if (names_.contains(root.value)) owners_[root.value] = next_id_;
  }
  for (const Value input : part.inputs) {
    if (names_.contains(input)) readers_[input].insert(next_id_);
  }
  parts_.emplace(next_id_++, std::move(part));
}

void Partition::remove_part(PartId id) {
  for (const Value input : part(id).inputs) readers_[input].erase(id);
  parts_.erase(id);
}

/// The part that stores `roots`, where `dropped` values are no longer stored.
Part Partition::make_part(std::vector<KernelRoot> roots, const std::set<Value>& dropped) const {
  Part part;
  Cone cone = cone_of(graph_, values_of(roots), [&](Value value) {
    return names_.contains(value) && !dropped.contains(value);
  });
  std::map<Value, std::string> stored;
  for (const Value input : cone.inputs) {
    if (names_.contains(input)) stored.emplace(input, names_.at(input));
  }
  part.inputs = std::move(cone.inputs);
  part.nodes = std::move(cone.nodes);
  part.roots = std::move(roots);
  const Lowered lowered = try_lower_to_kernel(graph_, part.roots, stored, options_.mode);
  if (lowered.kernel) {
    part.choice = choose_schedule(*lowered.kernel, target_, schedules_, options_.sizes);
  } else {
    part.choice.refusal = lowered.refusal;
  }
  return part;
}

const std::set<PartId>& Partition::readers(Value value) const {
  static const std::set<PartId> kNone;
  const auto found = readers_.find(value);
  return found == readers_.end() ? kNone : found->second;
}

std::vector<Value> Partition::intermediates_of(PartId id) const {
  std::vector<Value> result;
  for (const KernelRoot& root : part(id).roots) {
    if (!is_output(root.value)) result.push_back(root.value);
  }
  return result;
}

std::vector<PartId> Partition::order() const {
  std::vector<PartId> result;
  std::set<PartId> done;
  const auto is_ready = [&](const Part& part) {
    return std::all_of(part.inputs.begin(), part.inputs.end(), [&](Value input) {
      return !is_stored(input) || done.contains(owner(input));
    });
  };
  // The first ready one by the graph's order, so that the order is that of the user's program.
  std::vector<std::pair<Value, PartId>> open;
  for (const auto& [id, part] : parts_) open.emplace_back(part.roots.back().value, id);
  std::sort(open.begin(), open.end());
  while (!open.empty()) {
    const auto next = std::find_if(open.begin(), open.end(),
                                   [&](const auto& entry) { return is_ready(part(entry.second)); });
    support::check(next != open.end(), "the kernels of {} form a cycle", graph_.name());
    result.push_back(next->second);
    done.insert(next->second);
    open.erase(next);
  }
  return result;
}

/// Whether a path from `a` to `b` runs through a third part.
bool Partition::has_detour(PartId a, PartId b) const {
  std::set<PartId> reached;
  std::vector<PartId> open{a};
  while (!open.empty()) {
    const PartId current = open.back();
    open.pop_back();
    for (const KernelRoot& root : part(current).roots) {
      for (const PartId reader : readers(root.value)) {
        if (reader == b && current != a) return true;
        if (reader != b && reached.insert(reader).second) open.push_back(reader);
      }
    }
  }
  return false;
}

bool Partition::try_change(const std::set<PartId>& old_parts, const RootSets& new_roots,
                           const std::set<Value>& dropped, std::string& refusal) {
  if (!failed_.emplace(old_parts, dropped).second) return false;
  double old_us = 0;
  for (const PartId id : old_parts) old_us += part(id).choice.predicted_us;
  double new_us = 0;
  std::vector<Part> new_parts;
  for (const std::vector<KernelRoot>& roots : new_roots) {
    new_parts.push_back(make_part(roots, dropped));
    const ScheduleChoice& choice = new_parts.back().choice;
    if (choice.schedule == nullptr) {
      refusal = choice.refusal;
      return false;
    }
    new_us += choice.predicted_us;
  }
  if (new_us > old_us) {
    refusal = fmt::format("slower as one: {:.2f} us, apart {:.2f} us", new_us, old_us);
    return false;
  }
  for (const Value value : dropped) {
    names_.erase(value);
    owners_.erase(value);
    reasons_.erase(value);
  }
  for (const PartId id : old_parts) remove_part(id);
  for (Part& part : new_parts) add_part(std::move(part));
  return true;
}

bool Partition::try_inline(const std::set<Value>& values) {
  std::set<PartId> changed;
  for (const Value value : values) {
    support::check(!is_output(value), "an output cannot lose its store");
    changed.insert(readers(value).begin(), readers(value).end());
    changed.insert(owner(value));
  }
  RootSets new_roots;
  for (const PartId id : changed) {
    std::vector<KernelRoot> kept;
    for (const KernelRoot& root : part(id).roots) {
      if (!values.contains(root.value)) kept.push_back(root);
    }
    if (!kept.empty()) new_roots.push_back(std::move(kept));
  }
  std::string refusal;
  if (try_change(changed, new_roots, values, refusal)) return true;
  if (!refusal.empty()) {
    for (const Value value : values) add_reason(value, refusal);
  }
  return false;
}

bool Partition::try_merge(PartId a, PartId b) {
  std::string refusal;
  bool is_done = false;
  if (has_detour(a, b) || has_detour(b, a)) {
    refusal = "another kernel has to run between the two";
  } else {
    std::vector<KernelRoot> roots;
    std::set<Value> dropped;
    for (const PartId id : {a, b}) {
      for (const KernelRoot& root : part(id).roots) {
        std::set<PartId> others = is_output(root.value) ? std::set<PartId>{} : readers(root.value);
        others.erase(a);
        others.erase(b);
        if (is_output(root.value) || !others.empty()) {
          roots.push_back(root);
        } else {
          dropped.insert(root.value);
        }
      }
    }
    std::stable_sort(roots.begin(), roots.end(),
                     [](const KernelRoot& x, const KernelRoot& y) { return x.value < y.value; });
    is_done = try_change({a, b}, {roots}, dropped, refusal);
  }
  if (is_done || refusal.empty()) return is_done;
  for (const KernelRoot& root : part(a).roots) {
    if (part(b).inputs.contains(root.value)) add_reason(root.value, refusal);
  }
  return false;
}

void Partition::add_reason(Value value, const std::string& reason) {
  std::vector<std::string>& all = reasons_[value];
  if (std::find(all.begin(), all.end(), reason) == all.end()) all.push_back(reason);
}

std::vector<std::string> Partition::reasons(Value value) const {
  const auto found = reasons_.find(value);
  if (found != reasons_.end()) return found->second;
  return {options_.fuse ? "nothing was tried" : "fusion is off"};
}

}  // namespace sinter::codegen
