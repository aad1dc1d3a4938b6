// Reductions, products and scans: which axes they run over.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/plan/kernel_lowering.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::AxisId;
using ir::Dim;
using ir::IndexExpr;
using ir::Op;
using ir::Shape;
using ir::Value;

namespace {

/// Ways to place the reduced dimensions on existing axes that are looked at: more exist only where
/// many axes have one extent.
constexpr std::size_t kMaxChoices = 64;

const std::vector<std::int64_t>& reduced_dimensions(const ir::Node& node) {
  return node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
}

bool is_reduced(const ir::Node& node, std::size_t dimension) {
  const auto& axes = reduced_dimensions(node);
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(dimension)) != axes.end();
}

}  // namespace

/// Makes the operands of a fold vary over all of `axes`: those it folds over, because a broadcast
/// value is folded as often as the axis is long, and those its result is needed at, because
/// schedules take the fold's domain for the loops around it.
void KernelLowering::vary_over(std::vector<Value>& operands, const std::set<AxisId>& axes,
                               const SourceLocation& location) {
  std::set<AxisId> missing = axes;
  for (const Value operand : operands) {
    for (const AxisId axis : kernel_.domain(operand)) missing.erase(axis);
  }
  Value& first = operands.front();
  for (const AxisId axis : missing) {
    const Value index = kernel_.index(IndexExpr::axis(axis));
    const Value zero = kernel_.constant(ir::make_integer_literal(DType::I64, 0));
    const Value always = kernel_.add(Op::Ge, {index, zero}, {}, location);
    first = kernel_.add(Op::Select, {always, first, first}, {}, location);
  }
}

/// An axis of extent 1 that `indices` do not mention.
AxisId KernelLowering::find_axis_of_one(const Shape& indices) {
  const std::vector<AxisId> existing = axes_.axes_of_extent(Dim(1), axes_of(indices));
  return existing.empty() ? axes_.make_axis(Dim(1)) : existing.front();
}

/// Appends a fold and names its results, one an operand.
std::vector<Value> KernelLowering::add_fold(Op op, std::vector<Value> operands,
                                            ir::Attributes attributes,
                                            const SourceLocation& location) {
  const std::size_t count = operands.size();
  const Value first = kernel_.add(op, std::move(operands), std::move(attributes), location);
  std::vector<Value> results;
  for (std::uint32_t r = 0; r < count; ++r) results.push_back({first.node, r});
  return results;
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
    if (longer.size() > kMaxChoices) longer.resize(kMaxChoices);
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
    operands.push_back(operand);
  }
  std::set<AxisId> domain = axes_of(inner);
  if (axes.empty()) {  // a fold of one element
    axes.push_back(find_axis_of_one(indices));
    domain.insert(static_cast<AxisId>(axes.front()));
  }
  vary_over(operands, domain, node.location);
  std::sort(axes.begin(), axes.end());
  ir::Reducer reducer;
  if (combine == Op::None) {
    reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
  } else {
    reducer.op = combine;
  }
  return add_fold(Op::Reduce, std::move(operands),
                  {{AttributeName::Axes, axes}, {AttributeName::Reducer, reducer}}, node.location);
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
  std::vector<Value> operands;
  std::set<AxisId> axes{axis};
  axes.merge(axes_of(indices));
  for (std::size_t i = 0; i < 2; ++i) {
    operands.push_back(value(node.operands[i], matmul_operand_indices(node, i, indices, axis)));
  }
  vary_over(operands, axes, node.location);
  const auto precision =
      node.attributes.get_or<ir::Precision>(AttributeName::Precision, ir::Precision::Split);
  ir::Attributes attributes{{AttributeName::Axes, std::vector<std::int64_t>{axis}},
                            {AttributeName::DType, node.results.at(0).dtype},
                            {AttributeName::Precision, precision}};
  return {kernel_.add(Op::Contract, std::move(operands), std::move(attributes), node.location)};
}

// ---- scans

/// The axis that the scan runs over: exactly the one that it is read at.
AxisId KernelLowering::choose_scanned_axis(const ir::Node& node, const Shape& indices,
                                           std::size_t dimension) const {
  const Dim& extent = graph_.type(node.operands.at(0)).shape.at(dimension);
  const std::optional<AxisId> axis = indices.at(dimension).as_axis();
  Shape others = indices;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(dimension));
  if (!axis || kernel_.axes()[*axis].extent != extent || axes_of(others).contains(*axis)) {
    throw Refusal{fmt::format("the {} is used at other places than those it runs over",
                              ir::to_string(node.op))};
  }
  return *axis;
}

std::vector<Value> KernelLowering::make_scan(const ir::Node& node, const Shape& indices) {
  const auto dimension =
      static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Axis));
  if (graph_.type(node.operands.at(0)).shape.at(dimension) == Dim(1)) {
    return make_scan_of_one(node, indices, dimension);
  }
  const AxisId axis = choose_scanned_axis(node, indices, dimension);
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, indices));
  vary_over(operands, axes_of(indices), node.location);
  ir::Attributes attributes = node.attributes;
  attributes.set(AttributeName::Axis, static_cast<std::int64_t>(axis));
  return add_fold(Op::Scan, std::move(operands), std::move(attributes), node.location);
}

/// A dimension that is the number 1 is read at 0, without an axis: the scan is the identity
/// (exclusive) or a reduction over an axis of extent 1.
std::vector<Value> KernelLowering::make_scan_of_one(const ir::Node& node, const Shape& indices,
                                                    std::size_t dimension) {
  const auto& reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
  if (node.attributes.get_or<bool>(AttributeName::Exclusive, false)) {
    std::vector<Value> results;
    for (std::size_t i = 0; i < node.results.size(); ++i) {
      const DType dtype = node.results[i].dtype;
      results.push_back(kernel_.constant(reducer.function ? reducer.identity.at(i)
                                                          : *ir::identity_of(reducer.op, dtype)));
    }
    return results;
  }
  const AxisId axis = find_axis_of_one(indices);
  Shape inner = indices;
  inner.at(dimension) = IndexExpr::axis(axis);
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, inner));
  vary_over(operands, axes_of(inner), node.location);
  return add_fold(
      Op::Reduce, std::move(operands),
      {{AttributeName::Axes, std::vector<std::int64_t>{axis}}, {AttributeName::Reducer, reducer}},
      node.location);
}

}  // namespace sinter::codegen
