// Orders, by counting: the rank of an element is how many come before it.
#include "ir/define/composite.h"
#include "ir/define/indices.h"

namespace sinter::ir {

namespace {

enum class NanPlace : bool { First, Last };

struct Order {
  bool descending;
  NanPlace nan;
};

/// Whether a value of `a` stands before one of `b`; neither before the other are equal ones.
Expr is_before(const Expr& a, const Expr& b, Order order) {
  const Expr before = order.descending ? a > b : a < b;
  if (!is_float(a.dtype())) return before;
  if (order.nan == NanPlace::Last) return before | (equal(a, a) & not_equal(b, b));
  return before | (not_equal(a, a) & equal(b, b));
}

/// result[.., r, ..]: the index along `axis` of the element of rank r; equal ones keep their order.
Expr order_of(const Expr& a, std::int64_t axis, Order order) {
  const Shape pairs = with_dimension(a.shape(), axis, a.extent(axis));
  const Expr self = unsqueeze(a, axis + 1);
  const Expr other = unsqueeze(a, axis);
  const Expr first = iota(a, pairs, axis);
  const Expr second = iota(a, pairs, axis + 1);
  const Expr comes_before =
      is_before(other, self, order) | ((second < first) & !is_before(self, other, order));
  const Expr rank = sum(cast(comes_before, DType::I64), {axis + 1});
  return sum(select(equal(first, unsqueeze(rank, axis)), second, 0), {axis + 1});
}

Order sort_order(const Call& call) {
  return {call.flag(AttributeName::Descending), NanPlace::Last};
}

}  // namespace

template <>
Exprs define<Op::Sort>(const Call& call) {
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  return {gather_along(a, axis, order_of(a, axis, sort_order(call)), a.shape())};
}

template <>
Exprs define<Op::ArgSort>(const Call& call) {
  return {order_of(call[0], call.axis(), sort_order(call))};
}

template <>
Exprs define<Op::TopK>(const Call& call) {
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  const auto count = call.attributes().get<std::int64_t>(AttributeName::Count);
  if (count < 0 || is_provably_positive(Dim(count) - a.extent(axis), {})) {
    call.fail("there are no {} elements along axis {} of {}", count, axis,
              to_string(call.given(0)));
  }
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "largest");
  if (variant != "largest" && variant != "smallest") {
    call.fail("variant '{}' is none of largest, smallest", variant);
  }
  const Expr order = order_of(a, axis, {variant == "largest", NanPlace::First});
  const Expr index = slice(order, axis, 0, count);
  return {gather_along(a, axis, index, index.shape()), index};
}

template <>
Exprs define<Op::SearchSorted>(const Call& call) {
  call.need_one_dtype();
  const Expr& sorted = call[0];
  const Expr& values = call[1];
  if (sorted.rank() == 0 || (sorted.rank() > 1 && sorted.rank() != values.rank())) {
    call.fail(
        "a sorted operand of rank 1, or of the rank of the values, is needed; given {} and {}",
        to_string(call.given(0)), to_string(call.given(1)));
  }
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "left");
  if (variant != "left" && variant != "right") {
    call.fail("variant '{}' is none of left, right", variant);
  }
  const auto last = static_cast<std::int64_t>(values.rank());
  const Expr value = unsqueeze(values, last);
  const Expr element = sorted.rank() == 1 ? sorted : unsqueeze(sorted, last - 1);
  const Order order{false, NanPlace::Last};
  const Expr counts =
      variant == "left" ? is_before(element, value, order) : !is_before(value, element, order);
  return {sum(cast(counts, DType::I64), {last})};
}

}  // namespace sinter::ir
