// Quotients and remainders that are rounded to whole numbers, and powers of integers.

#include "ir/define/composite.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;
using support::kNan;

/// |a| = quotient |b| + remainder, 0 <= remainder < |b|, for floats.
struct Magnitudes {
  Expr quotient;
  Expr remainder;
};

/// Two steps of long division: a step takes a whole multiple of |b| away, exactly, because fma rounds
/// what is left only once and that has no more digits than |b|. A quotient that was rounded up to the
/// next whole number is one too many. What two steps do not reduce has quotients of 2^48 (f64: 2^106)
/// and more: it counts as a multiple of b.
Magnitudes divide(const Expr& a, const Expr& b) {
  const Expr x = abs(a);
  const Expr y = abs(b);
  const Expr first = floor(x / y);
  const Expr rest = fma(-first, y, x);
  const Expr second = floor(rest / y);
  const Expr last = fma(-second, y, rest);
  const Expr is_over = last < 0;
  const Expr left = select(is_over, last + y, last);
  const Expr is_reduced = (left >= 0) & (left < y);
  const Expr whole = first + second - select(is_over, number(a, 1), 0);
  const Expr is_defined = (x < kInfinity) & (y > 0);
  const Expr quotient = select(is_reduced, whole, x / y);
  const Expr remainder = select(equal(y, kInfinity), x, select(is_reduced, left, 0));
  return {select(is_defined, quotient, kNan), select(is_defined, remainder, kNan)};
}

Expr signs_differ(const Expr& a, const Expr& b) { return not_equal(a < 0, b < 0); }

/// The quotient of this magnitude; zeros have the sign of a / b, which stands where b is zero.
Expr with_sign(const Expr& magnitude, const Expr& a, const Expr& b) {
  const Expr value = select(signs_differ(a, b), -magnitude, magnitude);
  return select(equal(a, 0) | equal(b, 0), a / b, value);
}

}  // namespace

template <>
Exprs define<Op::TruncDiv>(const Call& call) {
  call.need_one_dtype();
  const Expr& a = call[0];
  const Expr& b = call[1];
  if (is_float(a.dtype())) return {with_sign(divide(a, b).quotient, a, b)};
  const Expr quotient = floor_div(a, b);
  if (!is_signed_integer(a.dtype())) return {quotient};
  const Expr is_rounded = not_equal(mod(a, b), 0) & not_equal(b, 0) & signs_differ(a, b);
  return {quotient + cast(is_rounded, a.dtype())};
}

template <>
Exprs define<Op::Rem>(const Call& call) {
  call.need_one_dtype();
  const Expr& a = call[0];
  const Expr& b = call[1];
  if (!is_float(a.dtype())) return {a - b * make_node(Op::TruncDiv, {a, b})};
  const Expr remainder = divide(a, b).remainder;
  const Expr is_zero = equal(a, 0) & equal(remainder, 0);
  return {select(is_zero, a, select(a < 0, -remainder, remainder))};
}

template <>
Exprs define<Op::FloorQuotient>(const Call& call) {
  call.need_one_dtype();
  const Expr& a = call[0];
  const Expr& b = call[1];
  const Magnitudes m = divide(a, b);
  const Expr is_rounded = signs_differ(a, b) & not_equal(m.remainder, 0);
  return {with_sign(m.quotient + select(is_rounded, number(a, 1), 0), a, b)};
}

template <>
Exprs define<Op::FloorRemainder>(const Call& call) {
  call.need_one_dtype();
  const Expr& a = call[0];
  const Expr& b = call[1];
  const Expr remainder = divide(a, b).remainder;
  const Expr is_below = signs_differ(a, b) & not_equal(remainder, 0);
  const Expr magnitude = select(is_below, abs(b) - remainder, remainder);
  return {select(b < 0, -magnitude, magnitude)};
}

/// One squaring for each bit of the exponent.
template <>
Exprs define<Op::IntegerPow>(const Call& call) {
  call.need_one_dtype();
  const Expr& base = call[0];
  const Expr& exponent = call[1];
  const bool is_signed = is_signed_integer(base.dtype());
  const int count = bits(base.dtype()) - (is_signed ? 1 : 0);
  Expr power = base;
  Expr result = number(base, 1);
  for (int bit = 0; bit < count; ++bit) {
    if (bit > 0) power = power * power;
    const Expr is_set = not_equal((exponent >> bit) & 1, 0);
    result = result * select(is_set, power, 1);
  }
  if (!is_signed) return {result};
  const Expr is_even = equal(exponent & 1, 0);
  const Expr is_minus_one = equal(base, -1);
  const Expr is_one = equal(base, 1) | (is_minus_one & is_even);
  const Expr inverse = select(is_one, 1, select(is_minus_one, number(base, -1), 0));
  return {select(exponent < 0, inverse, result)};
}

}  // namespace sinter::ir
