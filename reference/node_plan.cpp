// Finds the nodes that are needed, then the extents and index maps of each.
#include "reference/node_plan.h"

#include <algorithm>

#include "reference/host_tensor.h"
#include "support/check.h"

namespace sinter::reference {

using ir::AttributeName;
using ir::Op;
using ir::OpClass;

namespace {

std::vector<bool> find_needed(const ir::Graph& graph, const std::vector<ir::Value>& outputs) {
  std::vector<bool> needed(graph.nodes().size(), false);
  for (const ir::Value output : outputs) needed[output.node] = true;
  for (std::size_t id = needed.size(); id-- > 0;) {
    if (!needed[id]) continue;
    for (const ir::Value operand : graph.nodes()[id].operands) needed[operand.node] = true;
  }
  return needed;
}

/// The maps of one node, given the plans of the nodes before it.
class NodePlanner {
 public:
  NodePlanner(const ir::Graph& graph, const ir::Sizes& sizes, const std::vector<NodePlan>& plans,
              const ir::Node& node, NodePlan& plan)
      : graph_(graph), sizes_(sizes), plans_(plans), node_(node), plan_(plan) {}

  void run() {
    switch (ir::info(node_.op).op_class) {
      case OpClass::Leaf: return plan_leaf();
      case OpClass::Unary:
      case OpClass::Binary:
      case OpClass::Compare:
      case OpClass::Ternary:
      case OpClass::Cast: return plan_pointwise();
      case OpClass::View:
        plan_.operands = {map_view(node_, plan_.extents[0], shape(0), extents(0), sizes_)};
        return;
      case OpClass::Movement: return plan_movement();
      case OpClass::Reduction: return plan_reduction();
      case OpClass::Contraction:
        if (node_.op == Op::Einsum) {
          plan_.domain = map_einsum(node_, extents(0), extents(1));
          return;
        }
        plan_.domain =
            map_matmul(node_, plan_.extents[0], shape(0), extents(0), shape(1), extents(1));
        return;
      case OpClass::Scan: return plan_scan();
      case OpClass::Composite:  // evaluate() takes them apart first
      case OpClass::Access: break;
    }
    support::throw_internal("{} has no place in a graph", to_string(node_.op));
  }

 private:
  const Extents& extents(std::size_t operand) const {
    const ir::Value value = node_.operands[operand];
    return plans_[value.node].extents[value.result];
  }
  const ir::Shape& shape(std::size_t operand) const {
    return graph_.type(node_.operands[operand]).shape;
  }

  void plan_leaf() {
    if (node_.op == Op::Size) {
      const auto& shape = node_.attributes.get<ir::Shape>(AttributeName::Shape);
      plan_.size = ir::evaluate(shape[0], {.sizes = sizes_, .axis = {}, .value = {}});
    }
    if (node_.op != Op::Iota) return;
    const auto axis =
        static_cast<std::size_t>(node_.attributes.get<std::int64_t>(AttributeName::Axis));
    plan_.axis_stride = dense_strides(plan_.extents[0])[axis];
    plan_.axis_extent = plan_.extents[0][axis];
  }

  void plan_pointwise() {
    for (std::size_t i = 0; i < node_.operands.size(); ++i) {
      plan_.operands.push_back(map_broadcast(node_, plan_.extents[0], shape(i), extents(i)));
    }
  }

  void plan_movement() {
    if (node_.op != Op::Pad) return;
    for (const ir::Dim& begin : node_.attributes.get<ir::Shape>(AttributeName::Begin)) {
      plan_.begin.push_back(ir::evaluate(begin, {.sizes = sizes_, .axis = {}, .value = {}}));
    }
  }

  void require_equal_operands() {
    for (std::size_t i = 1; i < node_.operands.size(); ++i) {
      if (extents(i) == extents(0)) continue;
      support::throw_user_at(node_.location, "{}: operands have extents {} and {}",
                             to_string(node_.op), extents_text(extents(0)),
                             extents_text(extents(i)));
    }
  }

  void plan_reduction() {
    require_equal_operands();
    plan_.domain = map_reduction(node_, extents(0));
  }

  void plan_scan() {
    require_equal_operands();
    const auto axis =
        static_cast<std::size_t>(node_.attributes.get<std::int64_t>(AttributeName::Axis));
    plan_.domain.extents = {extents(0)[axis]};
    plan_.axis_stride = dense_strides(extents(0))[axis];
    plan_.axis_extent = extents(0)[axis];
  }

  const ir::Graph& graph_;
  const ir::Sizes& sizes_;
  const std::vector<NodePlan>& plans_;
  const ir::Node& node_;
  NodePlan& plan_;
};

}  // namespace

namespace {

/// A cast to a narrow float that rounds.
bool is_rounding_cast(const ir::Node& node) {
  return node.op == ir::Op::Cast && ir::is_narrow_float(node.results.front().dtype) &&
         !node.attributes.get_or<bool>(ir::AttributeName::Implicit, false);
}

void find_rounded_later(const ir::Graph& graph, std::vector<NarrowForm>& forms) {
  for (NarrowForm& form : forms) form.is_rounded_later = true;
  for (const ir::Value output : graph.outputs()) {
    if (!ir::is_narrow_float(graph.type(output).dtype)) forms[output.node].is_rounded_later = false;
  }
  for (std::size_t id = forms.size(); id-- > 0;) {
    const ir::Node& node = graph.nodes()[id];
    if (forms[id].is_rounded_later || is_rounding_cast(node)) continue;
    for (const ir::Value operand : node.operands) forms[operand.node].is_rounded_later = false;
  }
}

}  // namespace

std::vector<NarrowForm> find_narrow_forms(const ir::Graph& graph, bool round_each) {
  std::vector<NarrowForm> forms(graph.nodes().size());
  for (ir::NodeId id = 0; id < forms.size(); ++id) {
    const ir::Node& node = graph.node(id);
    const ir::OpClass op_class = ir::info(node.op).op_class;
    const bool only_moves = op_class == ir::OpClass::View || op_class == ir::OpClass::Movement ||
                            node.op == ir::Op::Select;
    const auto is_rounded = [&](ir::Value operand) {
      return !ir::is_narrow_float(graph.type(operand).dtype) || forms[operand.node].is_rounded;
    };
    const bool all_rounded = std::all_of(node.operands.begin(), node.operands.end(), is_rounded);
    const bool is_implicit = node.attributes.get_or<bool>(ir::AttributeName::Implicit, false);
    forms[id].moves_bits = node.op == ir::Op::Bitcast || (only_moves && all_rounded);
    forms[id].is_rounded = forms[id].moves_bits || node.op == ir::Op::Parameter ||
                           (node.op == ir::Op::Cast && !is_implicit) ||
                           (round_each && !only_moves && node.op != ir::Op::Constant);
    for (const ir::Value output : graph.outputs()) {
      if (output.node == id) forms[id].is_rounded = true;
    }
  }
  find_rounded_later(graph, forms);
  return forms;
}

std::vector<NodePlan> plan_nodes(const ir::Graph& graph, const ir::Sizes& sizes,
                                 const std::vector<ir::Value>& outputs) {
  const std::vector<bool> needed = find_needed(graph, outputs);
  std::vector<NodePlan> plans(graph.nodes().size());
  for (ir::NodeId id = 0; id < plans.size(); ++id) {
    if (!needed[id]) continue;
    const ir::Node& node = graph.nodes()[id];
    for (const ir::Type& type : node.results) {
      plans[id].extents.push_back(ir::evaluate_shape(type.shape, sizes));
    }
    plans[id].is_output.assign(node.results.size(), false);
    plans[id].last_use = id;
    for (const ir::Value operand : node.operands) plans[operand.node].last_use = id;
    NodePlanner(graph, sizes, plans, node, plans[id]).run();
  }
  // Every output of the graph rounds, whether or not it was asked for.
  for (const ir::Value output : graph.outputs()) {
    if (needed[output.node]) plans[output.node].is_output[output.result] = true;
  }
  for (const ir::Value output : outputs) {
    plans[output.node].last_use = static_cast<ir::NodeId>(plans.size());
  }
  return plans;
}

}  // namespace sinter::reference
