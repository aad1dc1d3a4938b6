// Padding and gathers: reads at computed indices, under conditions.
#include <algorithm>

#include "codegen/plan/kernel_lowering.h"
#include "codegen/plan/map_views.h"
#include "support/check.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::IndexExpr;
using ir::Op;
using ir::Shape;
using ir::Value;

namespace {

Shape join(Shape guard, const Shape& conditions) {
  guard.insert(guard.end(), conditions.begin(), conditions.end());
  std::sort(guard.begin(), guard.end());
  guard.erase(std::unique(guard.begin(), guard.end()), guard.end());
  return guard;
}

}  // namespace

std::pair<Value, Place> KernelLowering::look_through_views(Value wanted, Place at) const {
  while (!inputs_.contains(wanted) && ir::is_view(graph_.node(wanted).op)) {
    const ir::Node& view = graph_.node(wanted);
    at.indices = map_view(graph_, view, at.indices, kernel_.axis_extent());
    wanted = view.operands.at(0);
  }
  return {wanted, std::move(at)};
}

Shape KernelLowering::unproved_bounds(const Shape& indices, const Shape& extents) const {
  const ir::AxisExtent extent = kernel_.axis_extent();
  Shape conditions;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    for (const IndexExpr& condition : {indices[d], extents[d] - 1 - indices[d]}) {
      const IndexExpr simple = ir::simplify(condition, extent);
      if (!ir::is_provably_nonnegative(simple, extent)) conditions.push_back(simple);
    }
  }
  return join({}, conditions);
}

/// `wanted` where all conditions are >= 0, else `outside`.
Value KernelLowering::make_inside(Value wanted, const Place& at, const Shape& conditions,
                                  const ir::Literal& outside, const SourceLocation& location) {
  if (conditions.empty()) return value(wanted, at);
  const Place inside{at.indices, join(at.guard, conditions)};
  const auto [source, place] = look_through_views(wanted, inside);
  if (const auto input = inputs_.find(source); input != inputs_.end()) {
    return kernel_.load(input->second, place.indices, place.guard, outside);
  }
  const Value zero = kernel_.constant(ir::make_integer_literal(DType::I64, 0));
  std::optional<Value> holds;
  for (const IndexExpr& condition : conditions) {
    const Value one = kernel_.add(Op::Ge, {kernel_.index(condition), zero}, {}, location);
    holds = holds ? kernel_.add(Op::And, {*holds, one}, {}, location) : one;
  }
  const Value result = value(wanted, inside);
  return kernel_.add(Op::Select, {*holds, result, kernel_.constant(outside)}, {}, location);
}

Value KernelLowering::make_pad(const ir::Node& node, const Place& at) {
  const auto& begin = node.attributes.get<Shape>(AttributeName::Begin);
  const auto& outside = node.attributes.get<ir::Literal>(AttributeName::Outside);
  const Value operand = node.operands.at(0);
  Place inner = at;
  for (std::size_t d = 0; d < begin.size(); ++d) {
    inner.indices[d] = ir::simplify(inner.indices[d] - begin[d], kernel_.axis_extent());
  }
  return make_inside(operand, inner, unproved_bounds(inner.indices, graph_.type(operand).shape),
                     outside, node.location);
}

Value KernelLowering::make_gather(const ir::Node& node, const Place& at) {
  const Value operand = node.operands.at(0);
  Place inner{{}, at.guard};
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    inner.indices.push_back(ir::simplify(index_of(node.operands[i], at), kernel_.axis_extent()));
  }
  const ir::Type& type = graph_.type(operand);
  return make_inside(operand, inner, unproved_bounds(inner.indices, type.shape),
                     ir::make_integer_literal(type.dtype, 0), node.location);
}

IndexExpr KernelLowering::index_of(Value wanted, const Place& at) {
  if (const auto known = known_index_of(wanted, at)) return *known;
  const SourceLocation& location = graph_.node(wanted).location;
  return IndexExpr::value(cast(value(wanted, at), DType::I64, location));
}

/// Only 64-bit arithmetic has the meaning of index expressions, which never wrap; narrower leaves do
/// where all their values fit.
std::optional<IndexExpr> KernelLowering::known_index_of(Value wanted, const Place& place) const {
  const auto seen = look_through_views(wanted, place);
  const Value source = seen.first;
  const Place& at = seen.second;
  if (inputs_.contains(source)) return std::nullopt;
  const ir::Node& node = graph_.node(source);
  const DType dtype = graph_.type(source).dtype;
  const auto operand = [&](std::size_t i) { return known_index_of(node.operands.at(i), at); };
  if (node.op == Op::Constant && ir::is_integer(dtype)) {
    return ir::as_integer(node.attributes.get<ir::Literal>(AttributeName::Value));
  }
  if (node.op == Op::Cast && dtype == DType::I64) {
    const bool widens = ir::is_integer(graph_.type(node.operands[0]).dtype) &&
                        ir::is_lossless_cast(graph_.type(node.operands[0]).dtype, dtype);
    return widens ? operand(0) : std::nullopt;
  }
  if (node.op == Op::Iota) {
    const auto axis =
        static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Axis));
    const auto extent = graph_.type(source).shape[axis].as_constant();
    const bool fits =
        dtype == DType::I64 ||
        (extent && ir::as_integer(ir::make_integer_literal(dtype, *extent)) == *extent);
    return fits ? std::optional(at.indices[axis]) : std::nullopt;
  }
  if (dtype != DType::I64) return std::nullopt;
  if (node.op == Op::Size) return node.attributes.get<Shape>(AttributeName::Shape).at(0);
  if (node.operands.size() != 2) return std::nullopt;
  const auto a = operand(0);
  const auto b = operand(1);
  if (!a || !b) return std::nullopt;
  const auto is_extent = [&](ir::AxisId axis) { return kernel_.axes()[axis].extent == *b; };
  const std::set<ir::AxisId> axes = axes_of(at);  // each has an element, where this is evaluated
  const bool is_divisor =
      ir::is_provably_positive(*b, {}) || std::any_of(axes.begin(), axes.end(), is_extent);
  switch (node.op) {
    case Op::Add: return *a + *b;
    case Op::Sub: return *a - *b;
    case Op::Mul:
      return a->is_constant() || b->is_constant() ? std::optional(*a * *b) : std::nullopt;
    case Op::FloorDiv: return is_divisor ? std::optional(ir::floor_div(*a, *b)) : std::nullopt;
    case Op::Mod: return is_divisor ? std::optional(ir::mod(*a, *b)) : std::nullopt;
    case Op::Minimum: return ir::min(*a, *b);
    case Op::Maximum: return ir::max(*a, *b);
    default: return std::nullopt;
  }
}

}  // namespace sinter::codegen
