// Graph -> Kernel, by demand: value(v, indices) gives v at those index expressions. Views compose
// index maps, leaves and stored values become loads and indices, everything else becomes a node
// over the axes that the indices mention. Equal demands are one node.
#include <algorithm>
#include <set>
#include <utility>

#include "codegen/plan/axis_pool.h"
#include "codegen/plan/cone.h"
#include "codegen/plan/map_views.h"
#include "codegen/plan/plan.h"
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

/// Thrown inside this file where the values do not fit into one kernel.
struct Refusal {
  std::string reason;
};

class KernelLowering {
 public:
  KernelLowering(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                 const std::map<Value, std::string>& materialized, ir::Mode mode)
      : graph_(graph), roots_(roots), kernel_(graph.name(), mode), axes_(graph, kernel_) {
    add_inputs(materialized);
  }

  ir::Kernel run();

 private:
  void add_inputs(const std::map<Value, std::string>& materialized);
  Value value(Value wanted, const Shape& indices);
  std::vector<Value> make(NodeId id, const Shape& indices);
  Value make_leaf(const ir::Node& node, const Shape& indices);
  std::vector<Value> make_pointwise(const ir::Node& node, const Shape& indices);
  std::vector<Value> make_reduction(const ir::Node& node, const Shape& indices);
  std::vector<Value> make_contraction(const ir::Node& node, const Shape& indices);
  std::vector<Value> make_scan(const ir::Node& node, const Shape& indices);

  /// Indices of a reduced operand: those of the result, with axes in the reduced dimensions.
  Shape choose_reduced_indices(const ir::Node& node, const Shape& indices);
  AxisId choose_contracted_axis(const ir::Node& node, const Shape& indices);
  Shape matmul_operand_indices(const ir::Node& node, std::size_t operand, const Shape& indices,
                               AxisId axis) const;
  bool is_made(Value wanted, const Shape& indices) const;
  Value cast(Value v, DType dtype, const SourceLocation& location);
  Value vary_over(Value v, AxisId axis, const SourceLocation& location);

  const ir::Graph& graph_;
  const std::vector<KernelRoot>& roots_;
  ir::Kernel kernel_;
  AxisPool axes_;
  std::map<Value, std::int64_t> inputs_;  // to params
  std::map<std::pair<Value, Shape>, Value> loads_;
  std::map<std::pair<NodeId, Shape>, std::vector<Value>> made_;
};

std::set<AxisId> axes_of(const Shape& indices) {
  std::set<AxisId> axes;
  for (const IndexExpr& index : indices) axes.merge(ir::axes_of(index));
  return axes;
}

const std::vector<std::int64_t>& reduced_dimensions(const ir::Node& node) {
  return node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
}

bool is_reduced(const ir::Node& node, std::size_t dimension) {
  const auto& axes = reduced_dimensions(node);
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(dimension)) != axes.end();
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
    inputs_[input] = kernel_.add_param({name, type.dtype, type.shape, ir::ParamRole::In});
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
    kernel_.store(value(roots_[r].value, indices), params[r], indices);
  }
  return std::move(kernel_);
}

// ---- demands

Value KernelLowering::value(Value wanted, const Shape& indices) {
  if (const auto input = inputs_.find(wanted); input != inputs_.end()) {
    const auto known = loads_.find({wanted, indices});
    if (known != loads_.end()) return known->second;
    const Value load = kernel_.load(input->second, indices);
    loads_[{wanted, indices}] = load;
    return load;
  }
  const std::pair<NodeId, Shape> demand{wanted.node, indices};
  if (const auto known = made_.find(demand); known != made_.end()) {
    return known->second.at(wanted.result);
  }
  if (kernel_.nodes().size() > kMaxKernelNodes) {
    throw Refusal{fmt::format("one kernel would hold more than {} operations", kMaxKernelNodes)};
  }
  const std::vector<Value> results = make(wanted.node, indices);
  made_[demand] = results;
  return results.at(wanted.result);
}

bool KernelLowering::is_made(Value wanted, const Shape& indices) const {
  return inputs_.contains(wanted) ? loads_.contains({wanted, indices})
                                  : made_.contains({wanted.node, indices});
}

std::vector<Value> KernelLowering::make(NodeId id, const Shape& indices) {
  const ir::Node& node = graph_.node(id);
  switch (ir::info(node.op).op_class) {
    case OpClass::Leaf: return {make_leaf(node, indices)};
    case OpClass::Unary:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Ternary:
    case OpClass::Cast: return make_pointwise(node, indices);
    case OpClass::View:
      return {value(node.operands.at(0), map_view(graph_, node, indices, kernel_.axis_extent()))};
    case OpClass::Reduction: return make_reduction(node, indices);
    case OpClass::Contraction: return make_contraction(node, indices);
    case OpClass::Scan: return make_scan(node, indices);
    case OpClass::Composite:
    case OpClass::Access: break;
  }
  support::throw_internal("{} cannot be lowered to a kernel: it is not normalized",
                          ir::to_string(node.op));
}

Value KernelLowering::make_leaf(const ir::Node& node, const Shape& indices) {
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
    index = indices.at(static_cast<std::size_t>(axis));
  }
  const Value result =
      kernel_.add(Op::Index, {}, {{AttributeName::Map, Shape{index}}}, node.location);
  return cast(result, node.results.at(0).dtype, node.location);
}

std::vector<Value> KernelLowering::make_pointwise(const ir::Node& node, const Shape& indices) {
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, indices));
  return {kernel_.add(node.op, std::move(operands), node.attributes, node.location)};
}

Value KernelLowering::cast(Value v, DType dtype, const SourceLocation& location) {
  if (kernel_.dtype(v) == dtype) return v;
  return kernel_.add(Op::Cast, {v}, {{AttributeName::DType, dtype}}, location);
}

/// `v` with `axis` in its domain, as the operand of a reduction over it must have: a broadcast
/// value does not mention the axis, but is folded as often as the axis is long.
Value KernelLowering::vary_over(Value v, AxisId axis, const SourceLocation& location) {
  const std::vector<AxisId>& domain = kernel_.domain(v);
  if (std::find(domain.begin(), domain.end(), axis) != domain.end()) return v;
  const Value index = kernel_.index(IndexExpr::axis(axis));
  const Value zero = kernel_.constant(ir::make_integer_literal(DType::I64, 0));
  const Value always = kernel_.add(Op::Ge, {index, zero}, {}, location);
  return kernel_.add(Op::Select, {always, v, v}, {}, location);
}

// ---- reductions

/// Prefers existing axes at which an operand is made already (softmax reads x at the same axes
/// before and after its reductions), then the first existing ones that `indices` do not mention,
/// then new ones.
Shape KernelLowering::choose_reduced_indices(const ir::Node& node, const Shape& indices) {
  const Shape& shape = graph_.type(node.operands.at(0)).shape;
  std::vector<std::pair<Shape, std::set<AxisId>>> choices{{{}, axes_of(indices)}};
  std::size_t next = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::pair<Shape, std::set<AxisId>>> longer;
    for (auto& [chosen, taken] : choices) {
      if (!is_reduced(node, d)) {
        chosen.push_back(indices.at(next));
        longer.emplace_back(chosen, taken);
        continue;
      }
      for (const AxisId axis : axes_.axes_of_extent(shape[d], taken)) {
        longer.emplace_back(chosen, taken);
        longer.back().first.push_back(IndexExpr::axis(axis));
        longer.back().second.insert(axis);
      }
    }
    if (longer.empty()) {
      const AxisId axis = axes_.make_axis(shape[d]);
      auto [chosen, taken] = choices.front();
      chosen.push_back(IndexExpr::axis(axis));
      taken.insert(axis);
      longer.emplace_back(chosen, taken);
    }
    choices = std::move(longer);
    if (!is_reduced(node, d)) ++next;
  }
  for (const auto& [chosen, taken] : choices) {
    for (const Value operand : node.operands) {
      if (is_made(operand, chosen)) return chosen;
    }
  }
  return choices.front().first;
}

std::vector<Value> KernelLowering::make_reduction(const ir::Node& node, const Shape& indices) {
  const Shape inner = choose_reduced_indices(node, indices);
  std::vector<std::int64_t> axes;
  for (std::size_t d = 0; d < inner.size(); ++d) {
    if (is_reduced(node, d)) axes.push_back(*inner[d].as_axis());
  }
  const Op combine = ir::info(node.op).combine;
  std::vector<Value> operands;
  for (const Value wanted : node.operands) {
    Value operand = value(wanted, inner);
    if (combine != Op::None) operand = cast(operand, node.results.at(0).dtype, node.location);
    for (const std::int64_t axis : axes) {
      operand = vary_over(operand, static_cast<AxisId>(axis), node.location);
    }
    operands.push_back(operand);
  }
  if (axes.empty()) return operands;  // a fold of one element
  std::sort(axes.begin(), axes.end());
  ir::Reducer reducer;
  if (combine == Op::None) {
    reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
  } else {
    reducer.op = combine;
  }
  const std::size_t count = operands.size();
  const Value first =
      kernel_.add(Op::Reduce, std::move(operands),
                  {{AttributeName::Axes, axes}, {AttributeName::Reducer, reducer}}, node.location);
  std::vector<Value> results;
  for (std::uint32_t r = 0; r < count; ++r) results.push_back({first.node, r});
  return results;
}

// ---- contractions

Shape KernelLowering::matmul_operand_indices(const ir::Node& node, std::size_t operand,
                                             const Shape& indices, AxisId axis) const {
  const Shape& shape = graph_.type(node.operands.at(operand)).shape;
  const std::size_t batch = shape.size() - 2;
  const std::size_t missing = indices.size() - shape.size();
  Shape result;
  for (std::size_t d = 0; d < batch; ++d) {
    result.push_back(shape[d] == Dim(1) ? IndexExpr(0) : indices[missing + d]);
  }
  const IndexExpr contracted = IndexExpr::axis(axis);
  result.push_back(operand == 0 ? indices[indices.size() - 2] : contracted);
  result.push_back(operand == 0 ? contracted : indices.back());
  return result;
}

/// A new axis, but for products that share an operand (gated projections): those share its axis.
AxisId KernelLowering::choose_contracted_axis(const ir::Node& node, const Shape& indices) {
  const Dim extent = graph_.type(node.operands.at(0)).shape.back();
  for (const AxisId axis : axes_.axes_of_extent(extent, axes_of(indices))) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (is_made(node.operands[i], matmul_operand_indices(node, i, indices, axis))) return axis;
    }
  }
  return axes_.make_axis(extent);
}

std::vector<Value> KernelLowering::make_contraction(const ir::Node& node, const Shape& indices) {
  const AxisId axis = choose_contracted_axis(node, indices);
  const Value a = value(node.operands[0], matmul_operand_indices(node, 0, indices, axis));
  const Value b = value(node.operands[1], matmul_operand_indices(node, 1, indices, axis));
  const auto& domain = kernel_.domain(b);
  const bool varies = std::find(domain.begin(), domain.end(), axis) != domain.end();
  const auto precision =
      node.attributes.get_or<ir::Precision>(AttributeName::Precision, ir::Precision::Split);
  ir::Attributes attributes{{AttributeName::Axes, std::vector<std::int64_t>{axis}},
                            {AttributeName::DType, node.results.at(0).dtype},
                            {AttributeName::Precision, precision}};
  return {kernel_.add(Op::Contract, {varies ? a : vary_over(a, axis, node.location), b},
                      std::move(attributes), node.location)};
}

// ---- scans

std::vector<Value> KernelLowering::make_scan(const ir::Node& node, const Shape& indices) {
  const auto dimension =
      static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Axis));
  const Dim& extent = graph_.type(node.operands.at(0)).shape.at(dimension);
  const std::optional<AxisId> axis = indices.at(dimension).as_axis();
  Shape others = indices;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(dimension));
  if (!axis || !(kernel_.axes()[*axis].extent == extent) || axes_of(others).contains(*axis)) {
    throw Refusal{fmt::format("the {} is used at other places than those it runs over",
                              ir::to_string(node.op))};
  }
  std::vector<Value> operands;
  for (const Value operand : node.operands) {
    operands.push_back(vary_over(value(operand, indices), *axis, node.location));
  }
  ir::Attributes attributes = node.attributes;
  attributes.set(AttributeName::Axis, static_cast<std::int64_t>(*axis));
  const std::size_t count = operands.size();
  const Value first =
      kernel_.add(Op::Scan, std::move(operands), std::move(attributes), node.location);
  std::vector<Value> results;
  for (std::uint32_t r = 0; r < count; ++r) results.push_back({first.node, r});
  return results;
}

}  // namespace

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
