// Graph -> Kernel, by demand: value(v, indices) gives v at those index expressions. Views compose
// index maps, leaves and stored values become loads and indices, everything else becomes a node
// over the axes that the indices mention. Equal demands are one node.
#include "codegen/plan/cone.h"
#include "codegen/plan/kernel_lowering.h"
#include "codegen/plan/map_views.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::Dim;
using ir::IndexExpr;
using ir::NodeId;
using ir::Op;
using ir::OpClass;
using ir::Shape;
using ir::Value;

/// Beyond it one kernel takes minutes in the backend's compiler.
constexpr std::size_t kMaxKernelNodes = 4000;

}  // namespace

std::set<AxisId> KernelLowering::axes_of(const Shape& indices) const {
  std::set<AxisId> axes;
  for (const IndexExpr& index : indices) {
    axes.merge(ir::axes_of(index));
    for (const Value value : ir::values_of(index)) {
      axes.insert(kernel_.domain(value).begin(), kernel_.domain(value).end());
    }
  }
  return axes;
}

std::set<AxisId> KernelLowering::axes_of(const Place& at) const {
  std::set<AxisId> axes = axes_of(at.indices);
  axes.merge(axes_of(at.guard));
  return axes;
}

// ---- inputs and outputs

void KernelLowering::add_inputs(const std::map<Value, std::string>& materialized) {
  std::vector<Value> values;
  for (const KernelRoot& root : roots_) values.push_back(root.value);
  const Cone cone =
      cone_of(graph_, values, [&](Value stored) { return materialized.contains(stored); });
  const auto add_input = [&](Value input, const std::string& name) {
    if (!cone.inputs.contains(input)) return;
    const ir::Type& type = graph_.type(input);
    const bool is_host = graph_.is_host_scalar(input.node);
    inputs_[input] = kernel_.add_param({name, type.dtype, type.shape, ir::ParamRole::In, is_host});
    axes_.reserve(name);
  };
  for (const NodeId id : graph_.parameters()) add_input({id, 0}, graph_.parameter_name(id));
  for (const auto& [stored, name] : materialized) {
    if (graph_.node(stored).op != Op::Parameter) add_input(stored, name);
  }
}

ir::Kernel KernelLowering::run() {
  std::vector<std::int64_t> params;
  for (const KernelRoot& root : roots_) {
    const ir::Type& type = graph_.type(root.value);
    params.push_back(kernel_.add_param({root.name, type.dtype, type.shape, ir::ParamRole::Out}));
    axes_.reserve(root.name);
  }
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    const Shape indices = axes_.make_output_indices(graph_.type(roots_[r].value).shape);
    kernel_.store(value(roots_[r].value, {indices, {}}), params[r], indices);
  }
  return std::move(kernel_);
}

// ---- demands

Value KernelLowering::value(Value wanted, const Place& at) {
  if (const auto input = inputs_.find(wanted); input != inputs_.end()) {
    const auto known = loads_.find({wanted, at});
    if (known != loads_.end()) return known->second;
    std::optional<ir::Literal> outside;
    if (!at.guard.empty()) outside = ir::make_integer_literal(graph_.type(wanted).dtype, 0);
    const Value load = kernel_.load(input->second, at.indices, at.guard, outside);
    loads_[{wanted, at}] = load;
    return load;
  }
  const std::pair<NodeId, Place> demand{wanted.node, at};
  if (const auto known = made_.find(demand); known != made_.end()) {
    return known->second.at(wanted.result);
  }
  if (kernel_.nodes().size() > kMaxKernelNodes) {
    throw Refusal{fmt::format("one kernel would hold more than {} operations", kMaxKernelNodes)};
  }
  const std::vector<Value> results = make(wanted.node, at);
  made_[demand] = results;
  return results.at(wanted.result);
}

bool KernelLowering::is_made(Value wanted, const Place& at) const {
  return inputs_.contains(wanted) ? loads_.contains({wanted, at})
                                  : made_.contains({wanted.node, at});
}

std::vector<Value> KernelLowering::make(NodeId id, const Place& at) {
  const ir::Node& node = graph_.node(id);
  switch (ir::info(node.op).op_class) {
    case OpClass::Leaf: return {make_leaf(node, at)};
    case OpClass::Unary:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Ternary:
    case OpClass::Cast: return make_pointwise(node, at);
    case OpClass::View:
      return {value(node.operands.at(0),
                    {map_view(graph_, node, at.indices, kernel_.axis_extent()), at.guard})};
    case OpClass::Movement:
      return {node.op == Op::Pad ? make_pad(node, at) : make_gather(node, at)};
    case OpClass::Reduction: return make_reduction(node, at);
    case OpClass::Contraction: return make_contraction(node, at);
    case OpClass::Scan: return make_scan(node, at);
    case OpClass::Composite:
    case OpClass::Access: break;
  }
  support::throw_internal("{} cannot be lowered to a kernel: it is not normalized",
                          ir::to_string(node.op));
}

Value KernelLowering::make_leaf(const ir::Node& node, const Place& at) {
  if (node.op == Op::Constant) {
    return kernel_.add(Op::Constant, {}, node.attributes, node.location);
  }
  support::check(node.op == Op::Iota || node.op == Op::Size, "the leaf {} cannot be lowered",
                 ir::to_string(node.op));
  IndexExpr index;
  if (node.op == Op::Size) {
    index = node.attributes.get<Shape>(AttributeName::Shape).at(0);
  } else {
    const auto axis = node.attributes.get<std::int64_t>(AttributeName::Axis);
    index = at.indices.at(static_cast<std::size_t>(axis));
  }
  const Value result =
      kernel_.add(Op::Index, {}, {{AttributeName::Map, Shape{index}}}, node.location);
  return cast(result, node.results.at(0).dtype, node.location);
}

std::vector<Value> KernelLowering::make_pointwise(const ir::Node& node, const Place& at) {
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, at));
  return {kernel_.add(node.op, std::move(operands), node.attributes, node.location)};
}

Value KernelLowering::cast(Value v, DType dtype, const SourceLocation& location) {
  if (kernel_.dtype(v) == dtype) return v;
  return kernel_.add(Op::Cast, {v}, {{AttributeName::DType, dtype}}, location);
}

Lowered try_lower_to_kernel(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                            const std::map<Value, std::string>& materialized, ir::Mode mode) {
  try {
    return {KernelLowering(graph, roots, materialized, mode).run(), {}};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.reason};
  }
}

ir::Kernel lower_to_kernel(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                           const std::map<Value, std::string>& materialized, ir::Mode mode) {
  Lowered lowered = try_lower_to_kernel(graph, roots, materialized, mode);
  support::check(lowered.kernel.has_value(), "{} cannot be one kernel: {}", graph.name(),
                 lowered.refusal);
  return *std::move(lowered.kernel);
}

}  // namespace sinter::codegen
