// Building Kernels, and questions about them.
#include "ir/kernel.h"

#include <utility>

#include "ir/infer_kernel.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

std::vector<Value> results_of(const Kernel& kernel, Value first) {
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < kernel.node(first).results.size(); ++i) {
    values.push_back({first.node, i});
  }
  return values;
}

bool is_equal_node(const KernelNode& a, const KernelNode& b) {
  return a.op == b.op && a.operands == b.operands && a.attributes == b.attributes &&
         a.results == b.results && a.domain == b.domain;
}

}  // namespace

AxisId Kernel::add_axis(const std::string& name, Dim extent) {
  axes_.push_back({name, std::move(extent)});
  return static_cast<AxisId>(axes_.size() - 1);
}

std::int64_t Kernel::add_param(KernelParam param) {
  params_.push_back(std::move(param));
  return static_cast<std::int64_t>(params_.size()) - 1;
}

Value Kernel::add(Op op, std::vector<Value> operands, Attributes attributes,
                  SourceLocation location) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  KernelNodeType type = infer_kernel_node(*this, id, op, operands, attributes);
  nodes_.push_back({op, std::move(operands), std::move(attributes), std::move(type.results),
                    std::move(type.domain), std::move(location)});
  return {id, 0};
}

Value Kernel::constant(Literal literal) {
  return add(Op::Constant, {}, {{AttributeName::Value, literal}});
}

Value Kernel::load(std::int64_t param, Shape map, Shape where, std::optional<Literal> outside) {
  Attributes attributes{{AttributeName::Param, param}, {AttributeName::Map, std::move(map)}};
  if (!where.empty()) attributes.set(AttributeName::Where, std::move(where));
  if (outside) attributes.set(AttributeName::Outside, *outside);
  return add(Op::Load, {}, std::move(attributes));
}

Value Kernel::index(IndexExpr expr) {
  return add(Op::Index, {}, {{AttributeName::Map, Shape{std::move(expr)}}});
}

std::vector<Value> Kernel::reduce(std::vector<Value> operands, std::vector<AxisId> axes,
                                  Reducer reducer) {
  Attributes attributes{{AttributeName::Axes, std::vector<std::int64_t>(axes.begin(), axes.end())},
                        {AttributeName::Reducer, std::move(reducer)}};
  return results_of(*this, add(Op::Reduce, std::move(operands), std::move(attributes)));
}

Value Kernel::contract(Value a, Value b, std::vector<AxisId> axes, DType accumulator,
                       Precision precision) {
  return add(Op::Contract, {a, b},
             {{AttributeName::Axes, std::vector<std::int64_t>(axes.begin(), axes.end())},
              {AttributeName::DType, accumulator},
              {AttributeName::Precision, precision}});
}

std::vector<Value> Kernel::scan(std::vector<Value> operands, AxisId axis, Reducer reducer,
                                bool exclusive, bool reverse) {
  Attributes attributes{{AttributeName::Axis, static_cast<std::int64_t>(axis)},
                        {AttributeName::Reducer, std::move(reducer)}};
  if (exclusive) attributes.set(AttributeName::Exclusive, true);
  if (reverse) attributes.set(AttributeName::Reverse, true);
  return results_of(*this, add(Op::Scan, std::move(operands), std::move(attributes)));
}

void Kernel::store(Value value, std::int64_t param, Shape map, Shape where) {
  Attributes attributes{{AttributeName::Param, param}, {AttributeName::Map, std::move(map)}};
  if (!where.empty()) attributes.set(AttributeName::Where, std::move(where));
  add(Op::Store, {value}, std::move(attributes));
}

const KernelNode& Kernel::node(Value value) const { return node(value.node); }

const KernelNode& Kernel::node(NodeId id) const {
  support::check(id < nodes_.size(), "kernel {} has {} nodes, %{} is not one of them", name_,
                 nodes_.size(), id);
  return nodes_[id];
}

DType Kernel::dtype(Value value) const {
  const KernelNode& found = node(value);
  support::check(value.result < found.results.size(), "%{} of kernel {} has {} results, not {}",
                 value.node, name_, found.results.size(), value.result + 1);
  return found.results[value.result];
}

AxisExtent Kernel::axis_extent() const {
  return [axes = axes_](AxisId axis) {
    support::check(axis < axes.size(), "axis {} is not one of the kernel's {}", axis, axes.size());
    return axes[axis].extent;
  };
}

std::vector<NodeId> Kernel::stores() const {
  std::vector<NodeId> ids;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].op == Op::Store) ids.push_back(id);
  }
  return ids;
}

bool operator==(const Kernel& a, const Kernel& b) {
  return a.name() == b.name() && a.mode() == b.mode() && a.axes() == b.axes() &&
         a.params() == b.params() &&
         std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(),
                    is_equal_node);
}

}  // namespace sinter::ir
