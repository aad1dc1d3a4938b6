// The order in which fusions are tried, and the Plan that comes out.
//
//   try_regions     each kernel, last first, takes in all that only it needs: whole softmaxes and
//                   attentions, which no sequence of single steps would reach
//   try_inlines     each stored value, first first, so that operators rather end a product (as its
//                   epilogue) than begin the next one
//   try_siblings    kernels that read the same and write the same shape become one
#include <algorithm>

#include "codegen/plan/partition.h"
#include "codegen/plan/plan.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::NodeId;
using ir::Value;

/// Reductions, products and scans of one region (attention has four).
constexpr int kMaxAnchors = 4;
/// More outputs of one kernel would only cost registers.
constexpr std::size_t kMaxRoots = 16;
constexpr int kMaxRounds = 3;

/// Operators of the part that are neither elementwise nor free: what limits fusion.
int count_anchors(const ir::Graph& graph, const Part& part) {
  int count = 0;
  for (const NodeId id : part.nodes) {
    if (!is_free(graph, id) && !ir::is_pointwise(graph.node(id).op)) ++count;
  }
  return count;
}

/// Stored values of parts that only `consumer` needs, directly or through each other, with at most
/// `max_anchors` anchors in all. `before`: parts in order.
std::set<Value> region_before(const ir::Graph& graph, const Partition& partition, PartId consumer,
                              const std::vector<PartId>& before, int max_anchors) {
  std::set<PartId> region{consumer};
  std::set<Value> values;
  int anchors = 0;
  for (std::size_t p = before.size(); p-- > 0;) {
    if (!partition.exists(before[p])) continue;
    const Part& part = partition.part(before[p]);
    const bool is_needed_here_only =
        std::all_of(part.roots.begin(), part.roots.end(), [&](const KernelRoot& root) {
          const std::set<PartId>& readers = partition.readers(root.value);
          return !partition.is_output(root.value) &&
                 std::includes(region.begin(), region.end(), readers.begin(), readers.end());
        });
    const int own = count_anchors(graph, part);
    if (!is_needed_here_only || anchors + own > max_anchors) continue;
    anchors += own;
    region.insert(before[p]);
    for (const KernelRoot& root : part.roots) values.insert(root.value);
  }
  return values;
}

void try_regions(const ir::Graph& graph, Partition& partition) {
  std::vector<PartId> before = partition.order();
  while (!before.empty()) {
    const PartId consumer = before.back();
    before.pop_back();
    if (!partition.exists(consumer)) continue;
    // An operator alone before a product or reduction waits for try_inlines: it may be an epilogue.
    const int least = count_anchors(graph, partition.part(consumer)) > 0 ? 1 : 0;
    for (int anchors = kMaxAnchors; anchors >= least; --anchors) {
      const std::set<Value> region = region_before(graph, partition, consumer, before, anchors);
      const bool is_enough = std::any_of(region.begin(), region.end(), [&](Value value) {
        return least == 0 || count_anchors(graph, partition.part(partition.owner(value))) > 0;
      });
      if (is_enough && partition.try_inline(region)) break;
    }
  }
}

bool try_inlines(Partition& partition) {
  bool has_changed = false;
  for (const PartId id : partition.order()) {
    if (!partition.exists(id)) continue;
    const std::vector<Value> values = partition.intermediates_of(id);
    if (values.size() > 1 && partition.try_inline({values.begin(), values.end()})) {
      has_changed = true;
      continue;
    }
    for (const Value value : values) {
      if (partition.is_stored(value) && partition.try_inline({value})) has_changed = true;
    }
  }
  return has_changed;
}

/// Merges the kernel that stores a value with one that reads it.
bool try_pairs(Partition& partition) {
  bool has_changed = false;
  for (PartId id : partition.order()) {
    if (!partition.exists(id)) continue;
    const std::vector<KernelRoot> roots = partition.part(id).roots;
    for (const KernelRoot& root : roots) {
      const std::set<PartId> readers = partition.readers(root.value);
      for (const PartId reader : readers) {
        if (!partition.exists(id) || !partition.exists(reader)) continue;
        if (partition.try_merge(id, reader)) has_changed = true;
      }
    }
  }
  return has_changed;
}

bool are_siblings(const ir::Graph& graph, const Part& a, const Part& b) {
  const Value first = a.roots.front().value;
  const Value second = b.roots.front().value;
  if (graph.type(first).shape != graph.type(second).shape) return false;
  if (a.roots.size() + b.roots.size() > kMaxRoots) return false;
  return std::any_of(a.inputs.begin(), a.inputs.end(),
                     [&](Value input) { return b.inputs.contains(input); });
}

bool try_siblings(const ir::Graph& graph, Partition& partition) {
  bool has_changed = false;
  const std::vector<PartId> order = partition.order();
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      if (!partition.exists(order[a])) break;
      if (!partition.exists(order[b])) continue;
      if (!are_siblings(graph, partition.part(order[a]), partition.part(order[b]))) continue;
      if (partition.try_merge(order[a], order[b])) has_changed = true;
    }
  }
  return has_changed;
}

void improve(const ir::Graph& graph, Partition& partition) {
  try_regions(graph, partition);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool has_changed = try_inlines(partition);
    has_changed = try_pairs(partition) || has_changed;
    has_changed = try_siblings(graph, partition) || has_changed;
    if (!has_changed) return;
  }
}

// ---- the Plan

/// Names of all stored values: outputs have theirs, intermediates are numbered as they are written.
std::map<Value, std::string> name_tensors(const ir::Graph& graph, const Partition& partition,
                                          std::vector<PlannedTensor>& intermediates) {
  std::set<std::string> taken;
  for (const NodeId id : graph.parameters()) taken.insert(graph.parameter_name(id));
  std::map<Value, std::string> names;
  std::size_t number = 0;
  for (const PartId id : partition.order()) {
    for (const KernelRoot& root : partition.part(id).roots) {
      if (partition.is_output(root.value)) {
        if (partition.is_stored(root.value)) names[root.value] = partition.name(root.value);
        continue;
      }
      std::string name;
      do {
        name = fmt::format("tmp{}", number++);
      } while (taken.contains(name));
      names[root.value] = name;
      intermediates.push_back({name, graph.type(root.value)});
    }
  }
  return names;
}

PlannedKernel make_planned_kernel(const ir::Graph& graph, const Partition& partition, PartId id,
                                  const std::map<Value, std::string>& names, ir::Mode mode) {
  const Part& part = partition.part(id);
  PlannedKernel planned;
  std::vector<KernelRoot> roots = part.roots;
  for (KernelRoot& root : roots) {
    if (!partition.is_output(root.value)) root.name = names.at(root.value);
    planned.roots.push_back(root.value);
  }
  planned.kernel = lower_to_kernel(graph, roots, names, mode);
  planned.schedule = part.choice.schedule;
  planned.predicted_us = part.choice.predicted_us;
  for (const NodeId node : part.nodes) {
    const ir::OpClass op_class = ir::info(graph.node(node).op).op_class;
    if (op_class == ir::OpClass::View || op_class == ir::OpClass::Leaf) continue;
    planned.nodes.push_back(node);
  }
  return planned;
}

ir::IndexExpr size_bytes_of(const ir::Type& type) {
  ir::IndexExpr bytes = static_cast<std::int64_t>(size_bytes(type.dtype));
  for (const ir::Dim& dim : type.shape) bytes = bytes * dim;
  return bytes;
}

/// The first operator of the part that reads `value`, through views if need be.
NodeId first_reader(const ir::Graph& graph, const Part& part, Value value) {
  std::set<Value> aliases{value};
  for (const NodeId id : part.nodes) {
    const ir::Node& node = graph.node(id);
    const bool reads = std::any_of(node.operands.begin(), node.operands.end(),
                                   [&](Value operand) { return aliases.contains(operand); });
    if (!reads) continue;
    if (!ir::is_view(node.op)) return id;
    aliases.insert({id, 0});
  }
  return part.roots.back().value.node;
}

std::vector<Boundary> list_boundaries(const ir::Graph& graph, const Partition& partition) {
  std::vector<Boundary> boundaries;
  for (const PartId id : partition.order()) {
    const Part& part = partition.part(id);
    for (const Value input : part.inputs) {
      if (!partition.is_stored(input)) continue;
      // An output is written in any case.
      const ir::IndexExpr passes = partition.is_output(input) ? 1 : 2;
      boundaries.push_back({input.node, first_reader(graph, part, input), partition.reason(input),
                            size_bytes_of(graph.type(input)) * passes});
    }
  }
  return boundaries;
}

}  // namespace

Plan make_plan(const ir::Graph& graph, const Target& target, std::span<const Schedule> schedules,
               const PlanOptions& options) {
  Partition partition(graph, target, schedules, options);
  if (options.fuse) improve(graph, partition);
  Plan plan;
  const std::map<Value, std::string> names = name_tensors(graph, partition, plan.intermediates);
  for (const PartId id : partition.order()) {
    plan.kernels.push_back(make_planned_kernel(graph, partition, id, names, options.mode));
    const std::string name = fmt::format("{}_{}", graph.name(), plan.kernels.size() - 1);
    plan.kernels.back().kernel.set_name(name);
  }
  plan.boundaries = list_boundaries(graph, partition);
  std::map<Value, std::size_t> occurrences;
  for (const Value output : graph.outputs()) {
    plan.outputs.push_back(partition.output_names(output).at(occurrences[output]++));
  }
  return plan;
}

}  // namespace sinter::codegen
