// Reductions, products and scans: which axes they run over.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/plan/kernel_lowering.h"
#include "ir/equation.h"

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

/// An axis of extent 1 that the place does not mention.
AxisId KernelLowering::find_axis_of_one(const Place& at) {
  const std::vector<AxisId> existing = axes_.axes_of_extent(Dim(1), axes_of(at));
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

bool KernelLowering::may_fold_after(const std::vector<AxisId>& outer, AxisId axis) const {
  const bool fixes_order = kernel_.mode() == ir::Mode::Strict;
  return !fixes_order || outer.empty() || outer.back() < axis;
}

/// The axes of the reduced ones among the first dimensions.
std::vector<AxisId> KernelLowering::reduced_axes(const ir::Node& node, const Shape& indices) {
  std::vector<AxisId> axes;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (is_reduced(node, d)) axes.push_back(*indices[d].as_axis());
  }
  return axes;
}

/// Prefers existing axes at which an operand is made already (softmax reads x at the same axes
/// before and after its reductions), then the first existing ones that the place does not mention,
/// then new ones. Axes fold in the order of their numbers: strict mode, which fixes the order, takes
/// only such as rise with the dimensions.
Place KernelLowering::choose_reduced_place(const ir::Node& node, const Place& at) {
  const Shape& shape = graph_.type(node.operands.at(0)).shape;
  std::vector<std::pair<Shape, std::set<AxisId>>> choices{{{}, axes_of(at)}};
  std::size_t next = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::pair<Shape, std::set<AxisId>>> longer;
    for (auto& [chosen, taken] : choices) {
      if (!is_reduced(node, d)) {
        chosen.push_back(at.indices.at(next));
        longer.emplace_back(chosen, taken);
        continue;
      }
      for (const AxisId axis : axes_.axes_of_extent(shape[d], taken)) {
        if (!may_fold_after(reduced_axes(node, chosen), axis)) continue;
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
      if (is_made(operand, {chosen, at.guard})) return {chosen, at.guard};
    }
  }
  return {choices.front().first, at.guard};
}

std::vector<Value> KernelLowering::make_reduction(const ir::Node& node, const Place& at) {
  const Place inner = choose_reduced_place(node, at);
  const std::vector<AxisId> reduced = reduced_axes(node, inner.indices);
  std::vector<std::int64_t> axes(reduced.begin(), reduced.end());
  const Op combine = ir::info(node.op).combine;
  std::vector<Value> operands;
  for (const Value wanted : node.operands) {
    Value operand = value(wanted, inner);
    if (combine != Op::None) operand = cast(operand, node.results.at(0).dtype, node.location);
    operands.push_back(operand);
  }
  std::set<AxisId> domain = axes_of(inner.indices);
  if (axes.empty()) {  // a fold of one element
    axes.push_back(find_axis_of_one(at));
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

namespace {

/// [..., m, k] x [..., k, n]: labels are the result's dimensions, from 1, and k.
Product product_of_matmul(const ir::Graph& graph, const ir::Node& node) {
  const Shape& result = node.results.at(0).shape;
  Product product;
  for (std::size_t d = 0; d < result.size(); ++d) {
    product.result.push_back(d + 1);
    product.extents[d + 1] = result[d];
  }
  const std::size_t contracted = result.size() + 1;
  product.contracted = {contracted};
  product.extents[contracted] = graph.type(node.operands[0]).shape.back();
  for (std::size_t i = 0; i < 2; ++i) {
    const Shape& shape = graph.type(node.operands[i]).shape;
    const std::size_t missing = result.size() - shape.size();
    for (std::size_t d = 0; d + 2 < shape.size(); ++d) {
      product.operands[i].push_back(shape[d] == Dim(1) ? 0 : missing + d + 1);
    }
    product.operands[i].push_back(i == 0 ? result.size() - 1 : contracted);
    product.operands[i].push_back(i == 0 ? contracted : result.size());
  }
  return product;
}

Product product_of_einsum(const ir::Graph& graph, const ir::Node& node) {
  const ir::Equation equation =
      ir::parse_equation(node.attributes.get<std::string>(AttributeName::Equation), node.location);
  const auto to_labels = [](const std::string& letters) {
    std::vector<std::size_t> labels;
    for (const char letter : letters) labels.push_back(static_cast<unsigned char>(letter));
    return labels;
  };
  Product product;
  product.result = to_labels(equation.result);
  product.contracted = to_labels(equation.contracted());
  for (std::size_t i = 0; i < 2; ++i) {
    product.operands[i] = to_labels(equation.operands[i]);
    const Shape& shape = graph.type(node.operands[i]).shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      product.extents[product.operands[i][d]] = shape[d];
    }
  }
  return product;
}

/// Where an operand is read: result labels at the place's indices, contracted ones at `axes`.
Place operand_place(const Product& product, std::size_t operand, const Place& at,
                    const std::vector<AxisId>& axes) {
  std::map<std::size_t, IndexExpr> index_of{{0, IndexExpr(0)}};
  for (std::size_t d = 0; d < product.result.size(); ++d) {
    index_of[product.result[d]] = at.indices[d];
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    index_of[product.contracted[i]] = IndexExpr::axis(axes[i]);
  }
  Place place{{}, at.guard};
  for (const std::size_t label : product.operands.at(operand)) {
    place.indices.push_back(index_of.at(label));
  }
  return place;
}

}  // namespace

Product product_of(const ir::Graph& graph, const ir::Node& node) {
  return node.op == Op::Einsum ? product_of_einsum(graph, node) : product_of_matmul(graph, node);
}

/// New axes, but for products that share an operand (gated projections): those share its axes.
std::vector<AxisId> KernelLowering::choose_contracted_axes(const ir::Node& node,
                                                           const Product& product,
                                                           const Place& at) {
  std::vector<std::vector<AxisId>> choices{{}};
  for (const std::size_t label : product.contracted) {
    std::vector<std::vector<AxisId>> longer;
    for (const std::vector<AxisId>& chosen : choices) {
      std::set<AxisId> taken = axes_of(at);
      taken.insert(chosen.begin(), chosen.end());
      for (const AxisId axis : axes_.axes_of_extent(product.extents.at(label), taken)) {
        if (!may_fold_after(chosen, axis)) continue;
        longer.push_back(chosen);
        longer.back().push_back(axis);
      }
    }
    if (longer.size() > kMaxChoices) longer.resize(kMaxChoices);
    choices = std::move(longer);
  }
  for (const std::vector<AxisId>& axes : choices) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (is_made(node.operands[i], operand_place(product, i, at, axes))) return axes;
    }
  }
  std::vector<AxisId> axes;
  for (const std::size_t label : product.contracted) {
    axes.push_back(axes_.make_axis(product.extents.at(label)));
  }
  return axes;
}

std::vector<Value> KernelLowering::make_contraction(const ir::Node& node, const Place& at) {
  const Product product = product_of(graph_, node);
  std::vector<AxisId> contracted = choose_contracted_axes(node, product, at);
  std::vector<Value> operands;
  for (std::size_t i = 0; i < 2; ++i) {
    operands.push_back(value(node.operands[i], operand_place(product, i, at, contracted)));
  }
  if (contracted.empty()) contracted.push_back(find_axis_of_one(at));  // an outer product
  std::set<AxisId> axes(contracted.begin(), contracted.end());
  axes.merge(axes_of(at.indices));
  vary_over(operands, axes, node.location);
  const auto precision =
      node.attributes.get_or<ir::Precision>(AttributeName::Precision, ir::Precision::Split);
  std::sort(contracted.begin(), contracted.end());
  const std::vector<std::int64_t> over(contracted.begin(), contracted.end());
  return {kernel_.add(Op::Contract, std::move(operands),
                      {{AttributeName::Axes, over},
                       {AttributeName::DType, node.results.at(0).dtype},
                       {AttributeName::Precision, precision}},
                      node.location)};
}

// ---- scans

/// The axis that the scan runs over: exactly the one that it is read at. A condition on it would keep
/// elements out of the scan that others need.
AxisId KernelLowering::choose_scanned_axis(const ir::Node& node, const Place& at,
                                           std::size_t dimension) const {
  const Dim& extent = graph_.type(node.operands.at(0)).shape.at(dimension);
  const std::optional<AxisId> axis = at.indices.at(dimension).as_axis();
  Place others = at;
  others.indices.erase(others.indices.begin() + static_cast<std::ptrdiff_t>(dimension));
  if (!axis || kernel_.axes()[*axis].extent != extent || axes_of(others).contains(*axis)) {
    throw Refusal{fmt::format("the {} is used at other places than those it runs over",
                              ir::to_string(node.op))};
  }
  return *axis;
}

std::vector<Value> KernelLowering::make_scan(const ir::Node& node, const Place& at) {
  const auto dimension =
      static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Axis));
  if (graph_.type(node.operands.at(0)).shape.at(dimension) == Dim(1)) {
    return make_scan_of_one(node, at, dimension);
  }
  const AxisId axis = choose_scanned_axis(node, at, dimension);
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, at));
  vary_over(operands, axes_of(at.indices), node.location);
  ir::Attributes attributes = node.attributes;
  attributes.set(AttributeName::Axis, static_cast<std::int64_t>(axis));
  return add_fold(Op::Scan, std::move(operands), std::move(attributes), node.location);
}

/// A dimension that is the number 1 is read at 0, without an axis: the scan is the identity
/// (exclusive) or a reduction over an axis of extent 1.
std::vector<Value> KernelLowering::make_scan_of_one(const ir::Node& node, const Place& at,
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
  const AxisId axis = find_axis_of_one(at);
  Place inner = at;
  inner.indices.at(dimension) = IndexExpr::axis(axis);
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(value(operand, inner));
  vary_over(operands, axes_of(inner.indices), node.location);
  return add_fold(
      Op::Reduce, std::move(operands),
      {{AttributeName::Axes, std::vector<std::int64_t>{axis}}, {AttributeName::Reducer, reducer}},
      node.location);
}

}  // namespace sinter::codegen
