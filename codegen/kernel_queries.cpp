#include "codegen/kernel_queries.h"

#include <algorithm>

namespace sinter::codegen {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using ir::Value;

bool has_axis(const std::vector<AxisId>& axes, AxisId axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

const ir::KernelParam& tensor_of(const ir::Kernel& kernel, const KernelNode& access) {
  return kernel.params()[static_cast<std::size_t>(
      access.attributes.get<std::int64_t>(AttributeName::Param))];
}

bool has_node(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::vector<AxisId> memory_order(const ir::Kernel& kernel, const std::vector<NodeId>& accesses,
                                 const std::vector<AxisId>& axes) {
  for (const NodeId id : accesses) {
    std::vector<AxisId> order;
    for (const IndexExpr& expr : kernel.node(id).attributes.get<ir::Shape>(AttributeName::Map)) {
      const auto axis = expr.as_axis();
      if (axis && has_axis(axes, *axis) && !has_axis(order, *axis)) order.push_back(*axis);
    }
    if (order.size() == axes.size()) return order;
  }
  return axes;
}

bool is_fold(const KernelNode& node) {
  return node.op == Op::Reduce || node.op == Op::Contract || node.op == Op::Scan;
}

std::vector<AxisId> folded_axes(const KernelNode& fold) {
  if (fold.op == Op::Scan) {
    return {static_cast<AxisId>(fold.attributes.get<std::int64_t>(AttributeName::Axis))};
  }
  std::vector<AxisId> axes;
  for (const auto axis : fold.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes)) {
    axes.push_back(static_cast<AxisId>(axis));
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

std::vector<Value> uses_of(const KernelNode& node) {
  std::vector<Value> uses = node.operands;
  for (const AttributeName name : {AttributeName::Map, AttributeName::Where}) {
    for (const IndexExpr& expr : node.attributes.get_or<ir::Shape>(name, {})) {
      const std::set<Value> values = ir::values_of(expr);
      uses.insert(uses.end(), values.begin(), values.end());
    }
  }
  return uses;
}

std::vector<NodeId> needed_nodes(const ir::Kernel& kernel, const std::vector<NodeId>& targets,
                                 const std::vector<NodeId>& stops) {
  std::vector<bool> is_needed(kernel.nodes().size(), false);
  for (const NodeId target : targets) is_needed[target] = true;
  std::vector<NodeId> needed;
  // Operands come before their users: one walk from the end sees every use.
  for (std::size_t next = kernel.nodes().size(); next-- > 0;) {
    const auto id = static_cast<NodeId>(next);
    if (!is_needed[id]) continue;
    needed.push_back(id);
    if (std::find(stops.begin(), stops.end(), id) != stops.end()) continue;
    for (const Value used : uses_of(kernel.node(id))) is_needed[used.node] = true;
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

IndexExpr extent_of(const ir::Kernel& kernel, const std::vector<AxisId>& axes) {
  IndexExpr extent = 1;
  for (const AxisId axis : axes) extent = extent * kernel.axes()[axis].extent;
  return extent;
}

IndexExpr flat_index(const ir::Kernel& kernel, const std::vector<AxisId>& axes) {
  IndexExpr index = 0;
  for (const AxisId axis : axes) {
    index = index * kernel.axes()[axis].extent + IndexExpr::axis(axis);
  }
  return index;
}

}  // namespace sinter::codegen
