// Composites that put elements of their operands elsewhere.
#include "ir/broadcast.h"
#include "ir/define/composite.h"
#include "ir/define/indices.h"

namespace sinter::ir {

namespace {

/// The operands with equal dimensions written as one, but for `axis`.
Exprs unify_beside(const Call& call, std::int64_t axis) {
  Shape common = call[0].shape();
  for (const Expr& operand : call.operands()) {
    bool fits = operand.rank() == common.size();
    for (std::size_t d = 0; fits && d < common.size(); ++d) {
      if (static_cast<std::int64_t>(d) == axis) continue;
      const auto dim = unify_dims(common[d], operand.shape()[d]);
      fits = dim.has_value();
      if (dim) common[d] = *dim;
    }
    if (fits) continue;
    call.fail("operands whose dimensions are equal but for axis {} are needed; given {} and {}",
              axis, to_string(call.given(0)), to_string(operand.type()));
  }
  Exprs operands;
  for (const Expr& operand : call.operands()) {
    operands.push_back(broadcast_to(operand, with_extent(common, axis, operand.extent(axis))));
  }
  return operands;
}

/// Where index `p` of an extended dimension lies in its `extent` elements; outside of them where
/// there is none.
Expr index_inside(const Call& call, const Expr& p, const Dim& extent) {
  const auto& variant = call.attributes().get<std::string>(AttributeName::Variant);
  if (variant == "replicate") {
    return minimum(maximum(p, 0), dim_value(p, extent - 1));
  }
  if (variant == "circular") return mod(p, dim_value(p, max(extent, 1)));
  if (variant == "reflect") {
    const Dim period = extent * 2 - 2;
    const Expr place = mod(p, dim_value(p, max(period, 1)));
    return minimum(place, dim_value(p, period) - place);
  }
  call.fail("variant '{}' is none of reflect, replicate, circular", variant);
}

/// Elements of `a` where `keep` holds for column - row, else 0.
template <typename Keep>
Exprs keep_triangle(const Call& call, const Keep& keep) {
  const Expr& a = call[0];
  if (a.rank() < 2) call.fail("rank 2 at least is needed; given {}", to_string(call.given(0)));
  const auto rank = static_cast<std::int64_t>(a.rank());
  const Expr row = iota(a, a.shape(), rank - 2);
  const Expr column = iota(a, a.shape(), rank - 1);
  const auto offset = call.attributes().get_or<std::int64_t>(AttributeName::Offset, 0);
  const Expr limit = constant(a, make_integer_literal(DType::I64, offset));
  return {select(keep(column - row, limit), a, 0)};
}

}  // namespace

/// Each operand is padded to the whole, and the index tells which one stands there: a padded read
/// touches memory only where its operand has elements.
template <>
Exprs define<Op::Concat>(const Call& call) {
  call.need_one_dtype();
  const std::int64_t axis = call.axis();
  const Exprs operands = unify_beside(call, axis);
  Dim total = 0;
  for (const Expr& operand : operands) total = total + operand.extent(axis);
  const Shape shape = with_extent(operands[0].shape(), axis, total);
  const Expr index = iota(operands[0], shape, axis);
  std::optional<Expr> result;
  Dim end = total;
  for (std::size_t i = operands.size(); i-- > 0;) {
    const Dim begin = end - operands[i].extent(axis);
    const Shape begins = with_extent(Shape(shape.size(), Dim(0)), axis, begin);
    const Expr part = pad(operands[i], begins, shape, 0);
    result = result ? select(index < dim_value(index, end), part, *result) : part;
    end = begin;
  }
  return {*result};
}

template <>
Exprs define<Op::Stack>(const Call& call) {
  const auto axis = call.attributes().get<std::int64_t>(AttributeName::Axis);
  if (axis < 0 || axis > static_cast<std::int64_t>(call[0].rank())) {
    call.fail("there is no place {} for a new dimension in {}", axis, to_string(call.given(0)));
  }
  Exprs parts;
  for (std::size_t i = 0; i < call.size(); ++i) {
    bool fits = call[i].rank() == call[0].rank();
    for (std::size_t d = 0; fits && d < call[0].rank(); ++d) {
      fits = unify_dims(call[0].shape()[d], call[i].shape()[d]).has_value();
    }
    if (!fits) {
      call.fail("operands of one shape are needed; given {} and {}", to_string(call.given(0)),
                to_string(call.given(i)));
    }
    parts.push_back(unsqueeze(call[i], axis));
  }
  return {make_node(Op::Concat, parts, {{AttributeName::Axis, axis}})};
}

template <>
Exprs define<Op::Extend>(const Call& call) {
  const Expr& a = call[0];
  const auto& shape = call.attributes().get<Shape>(AttributeName::Shape);
  const auto& begin = call.attributes().get<Shape>(AttributeName::Begin);
  if (a.rank() == 0 || shape.size() != a.rank() || begin.size() != a.rank()) {
    call.fail(
        "a begin and an extent for each dimension of {}, and one at least, are needed; given "
        "{} and {}",
        to_string(call.given(0)), begin.size(), shape.size());
  }
  // One dimension after the other, so that gradients go back one by one.
  Expr result = a;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    const auto axis = static_cast<std::int64_t>(d);
    const Dim extent = a.shape()[d];
    const Shape extended = with_extent(result.shape(), axis, shape[d]);
    const Expr p = iota(a, extended, axis);
    const Expr moved = begin[d] == Dim(0) ? p : p - dim_value(p, begin[d]);
    const Expr index = index_inside(call, moved, extent);
    const bool is_whole = begin[d] == Dim(0) && shape[d] == extent;
    if (!is_whole) result = gather_along(result, axis, index, extended);
  }
  return {result};
}

template <>
Exprs define<Op::Roll>(const Call& call) {
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  const auto offset = call.attributes().get<std::int64_t>(AttributeName::Offset);
  const Expr place = iota(a, a.shape(), axis);
  const Expr moved = place - constant(a, make_integer_literal(DType::I64, offset));
  const Expr index = mod(moved, dim_value(a, max(a.extent(axis), 1)));
  return {gather_along(a, axis, index, a.shape())};
}

template <>
Exprs define<Op::Tril>(const Call& call) {
  return keep_triangle(call, [](const Expr& above, const Expr& limit) { return above <= limit; });
}

template <>
Exprs define<Op::Triu>(const Call& call) {
  return keep_triangle(call, [](const Expr& above, const Expr& limit) { return above >= limit; });
}

}  // namespace sinter::ir
