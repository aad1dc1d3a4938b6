#include "codegen/split_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/kernel_queries.h"
#include "ir/rewrite.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::KernelParam;
using ir::NodeId;
using ir::Op;
using ir::ParamRole;
using ir::Value;

/// A value of the cut and where it lies between the two kernels.
struct Passed {
  Value value;
  KernelParam tensor;
  ir::Shape map;
};

/// Copies nodes of the whole kernel into one of its parts.
class PartWriter {
 public:
  explicit PartWriter(const Kernel& whole) : whole_(whole), part_(whole.name(), whole.mode()) {
    for (const ir::Axis& axis : whole.axes()) part_.add_axis(axis.name, axis.extent);
  }

  /// Parameters of one role that these nodes use, in the whole kernel's order.
  void add_params(const std::vector<NodeId>& nodes, ParamRole role) {
    std::vector<bool> is_used(whole_.params().size(), false);
    for (const NodeId id : nodes) {
      const KernelNode& node = whole_.node(id);
      if (node.op != Op::Load && node.op != Op::Store) continue;
      is_used[static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Param))] =
          true;
    }
    for (std::size_t p = 0; p < is_used.size(); ++p) {
      if (is_used[p] && whole_.params()[p].role == role) add_param(whole_.params()[p]);
    }
  }

  void add_param(const KernelParam& param) { params_[param.name] = part_.add_param(param); }

  void load(const Passed& passed) {
    renamed_[passed.value] = part_.load(params_.at(passed.tensor.name), passed.map);
  }
  void store(const Passed& passed) {
    part_.store(renamed_.at(passed.value), params_.at(passed.tensor.name), passed.map);
  }

  void copy(NodeId id) {
    const KernelNode& node = whole_.node(id);
    const auto renaming = [&](Value value) { return renamed_.at(value); };
    std::vector<Value> operands;
    for (const Value operand : node.operands) operands.push_back(renaming(operand));
    ir::Attributes attributes = ir::rename_attributes(node.attributes, renaming);
    if (node.op == Op::Load || node.op == Op::Store) {
      attributes.set(AttributeName::Param, params_.at(tensor_of(whole_, node).name));
    }
    const Value copied =
        part_.add(node.op, std::move(operands), std::move(attributes), node.location);
    for (std::uint32_t r = 0; r < node.results.size(); ++r) renamed_[{id, r}] = {copied.node, r};
  }

  Kernel finish() { return std::move(part_); }

 private:
  const Kernel& whole_;
  Kernel part_;
  std::map<std::string, std::int64_t> params_;
  std::map<Value, Value> renamed_;
};

/// A dense tensor over the value's axes, named as no parameter and none of `others`.
Passed make_intermediate(const Kernel& kernel, Value value, const std::vector<KernelParam>& others,
                         const std::vector<AxisId>& order) {
  std::string name;
  const auto is_named_so = [&](const KernelParam& param) { return param.name == name; };
  std::size_t number = 0;
  do {
    name = fmt::format("part{}", number++);
  } while (std::ranges::any_of(kernel.params(), is_named_so) ||
           std::ranges::any_of(others, is_named_so));
  std::vector<AxisId> axes = kernel.domain(value);
  const auto place = [&](AxisId axis) {
    const auto found = std::ranges::find(order, axis);
    return found == order.end() ? 0 : 1 + (found - order.begin());
  };
  std::ranges::stable_sort(axes, {}, place);
  Passed passed{value, {name, kernel.dtype(value), {}, ParamRole::Out}, {}};
  for (const AxisId axis : axes) {
    passed.tensor.shape.push_back(kernel.axes()[axis].extent);
    passed.map.push_back(IndexExpr::axis(axis));
  }
  return passed;
}

/// The tensor that an early store puts the value into, all of it and nothing else.
std::optional<Passed> find_stored(const Kernel& kernel, Value value,
                                  const std::vector<NodeId>& early_stores) {
  const auto count = [&](const std::string& name) {
    return std::ranges::count_if(kernel.stores(), [&](NodeId id) {
      return tensor_of(kernel, kernel.node(id)).name == name;
    });
  };
  for (const NodeId id : early_stores) {
    const KernelNode& store = kernel.node(id);
    const KernelParam& tensor = tensor_of(kernel, store);
    const bool is_whole = store.operands.front() == value && store.domain == kernel.domain(value) &&
                          tensor.dtype == kernel.dtype(value) && count(tensor.name) == 1 &&
                          store.attributes.find(AttributeName::Where) == nullptr;
    if (is_whole) return Passed{value, tensor, store.attributes.get<ir::Shape>(AttributeName::Map)};
  }
  return std::nullopt;
}

}  // namespace

KernelSplit split_kernel(const Kernel& kernel, const std::vector<Value>& cut,
                         const std::vector<NodeId>& early_stores,
                         const std::vector<AxisId>& order) {
  std::vector<NodeId> cut_nodes, first_targets = early_stores, last_targets;
  for (const Value value : cut) cut_nodes.push_back(value.node);
  for (const NodeId id : kernel.stores()) {
    if (!has_node(early_stores, id)) last_targets.push_back(id);
  }
  std::vector<NodeId> last = needed_nodes(kernel, last_targets, cut_nodes);
  KernelSplit split;
  std::vector<Passed> passed, made;  // all, and those that have no tensor yet
  for (const Value value : cut) {
    if (!has_node(last, value.node)) continue;
    if (auto stored = find_stored(kernel, value, early_stores)) {
      passed.push_back(*stored);
      continue;
    }
    made.push_back(make_intermediate(kernel, value, split.intermediates, order));
    passed.push_back(made.back());
    split.intermediates.push_back(made.back().tensor);
    first_targets.push_back(value.node);
  }
  std::erase_if(last, [&](NodeId id) { return has_node(cut_nodes, id); });

  PartWriter before(kernel);
  const std::vector<NodeId> first = needed_nodes(kernel, first_targets);
  before.add_params(first, ParamRole::In);
  before.add_params(first, ParamRole::Out);
  for (const Passed& each : made) before.add_param(each.tensor);
  for (const NodeId id : first) before.copy(id);
  for (const Passed& each : made) before.store(each);
  split.before = before.finish();

  PartWriter behind(kernel);
  behind.add_params(last, ParamRole::In);
  for (Passed& each : passed) {
    each.tensor.role = ParamRole::In;
    behind.add_param(each.tensor);
  }
  behind.add_params(last, ParamRole::Out);
  for (const Passed& each : passed) behind.load(each);
  for (const NodeId id : last) behind.copy(id);
  split.behind = behind.finish();
  return split;
}

}  // namespace sinter::codegen
