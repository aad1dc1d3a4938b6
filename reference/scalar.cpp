// The one table of scalar meaning. DESIGN section 3 says what each operator means; the comments
// here say how its bound follows from its operands' bounds.
#include "reference/scalar.h"

#include <algorithm>
#include <array>

#include "reference/functions.h"
#include "reference/interval.h"
#include "reference/rounding.h"
#include "reference/special.h"
#include "support/check.h"

namespace sinter::reference {

using ir::DType;
using ir::Op;

namespace {

/// Either of two possible values, `taken` being the reference's own.
Element either(const Element& taken, const Element& other) {
  if (taken.is_certain_nan() && other.is_certain_nan()) return taken;
  if (taken.bits != other.bits) return make_undecided(taken);
  const bool same =
      taken.real == other.real && std::signbit(taken.real) == std::signbit(other.real);
  if (same && taken.is_exact() && other.is_exact()) return taken;
  // Zeros of either sign: the least bound says that the sign does not matter.
  const Wide distance =
      std::abs(taken.real - other.real) + other.bound + std::numeric_limits<double>::denorm_min();
  if (!std::isfinite(distance)) return make_undecided(taken);
  return make_real(taken.real, std::max(taken.bound, static_cast<double>(distance * kWideSlack)));
}

Element evaluate_sqrt(DType compute, const Element& a) {
  const auto root = [](Wide x) { return std::sqrt(x); };
  if (!a.is_exact() && low_end(a) < 0) {
    return high_end(a) < 0 ? make_real(kNan) : make_undecided(make_real(root(a.real)));
  }
  return computed_element(compute, root(a.real), spread(root, a), unit_roundoff(compute));
}

/// floor and round: decided where the whole interval goes to one number.
template <typename F>
Element evaluate_step(const F& f, const Element& a) {
  const Element result = make_real(f(a.real));
  return spread(f, a) == 0 ? result : make_undecided(result);
}

Element evaluate_add(DType compute, const Element& a, const Element& b) {
  return computed_element(compute, a.real + b.real, static_cast<Wide>(a.bound) + b.bound,
                          unit_roundoff(compute));
}

Element evaluate_mul(DType compute, const Element& a, const Element& b) {
  return computed_element(compute, a.real * b.real, product_spread(a, b), unit_roundoff(compute));
}

Element evaluate_div(DType compute, const Element& a, const Element& b) {
  const Wide value = a.real / b.real;
  if (may_be_zero(b) || (b.real == 0 && may_be_zero(a))) return make_undecided(make_real(value));
  // The quotient by an infinity may be a zero of either sign.
  Wide propagated = may_be_zero(a) ? smallest_positive(compute) : 0;
  if (std::isfinite(a.real) && std::isfinite(b.real) && b.real != 0) {
    propagated = (a.bound + std::abs(value) * b.bound) / (std::abs(b.real) - b.bound);
  }
  return computed_element(compute, value, propagated, unit_roundoff(compute));
}

Element evaluate_fma(DType compute, const Element& a, const Element& b, const Element& c) {
  const Wide value = std::fma(a.real, b.real, c.real);
  return computed_element(compute, value, product_spread(a, b) + c.bound, unit_roundoff(compute));
}

/// NaN wins; +0.0 is above -0.0. The ends of the result's interval are the extremes of the ends.
Element evaluate_extreme(bool largest, const Element& a, const Element& b) {
  if (std::isnan(a.real) || std::isnan(b.real)) return make_real(kNan);
  const auto pick = [largest](Wide x, Wide y) {
    if (x == y) return std::signbit(x) == largest ? y : x;
    return (x > y) == largest ? x : y;
  };
  const Wide value = pick(a.real, b.real);
  if (!std::isfinite(value)) return make_real(value);
  const Wide low = pick(low_end(a), low_end(b));
  const Wide high = pick(high_end(a), high_end(b));
  return make_real(value, static_cast<double>(std::max(high - value, value - low) * kWideSlack));
}

Element evaluate_select(const Element& condition, const Element& yes, const Element& no) {
  const Element& taken = condition.bits != 0 ? yes : no;
  if (!condition.is_undecided()) return taken;
  return either(taken, condition.bits != 0 ? no : yes);
}

/// A comparison of reals is undecided where the intervals touch.
template <typename F>
Element compare_elements(DType dtype, const F& holds, const Element& a, const Element& b) {
  if (!ir::is_float(dtype)) {
    return make_bits(holds(integer_value(dtype, a.bits), integer_value(dtype, b.bits)) ? 1 : 0);
  }
  const Element result = make_bits(holds(a.real, b.real) ? 1 : 0);
  const Wide reach = (static_cast<Wide>(a.bound) + b.bound) * kWideSlack;
  const bool touch = reach > 0 && std::abs(a.real - b.real) <= reach;
  return touch ? make_undecided(result) : result;
}

std::uint64_t floor_div(DType dtype, std::uint64_t a, std::uint64_t b) {
  if (b == 0) return 0;
  if (!ir::is_signed_integer(dtype)) return a / b;
  const auto x = static_cast<std::int64_t>(a);
  const auto y = static_cast<std::int64_t>(b);
  if (y == -1) return 0 - a;
  const std::int64_t quotient = x / y;
  const bool inexact = quotient * y != x;
  return static_cast<std::uint64_t>(quotient - (inexact && (x < 0) != (y < 0) ? 1 : 0));
}

bool is_less(DType dtype, std::uint64_t a, std::uint64_t b) {
  return integer_value(dtype, a) < integer_value(dtype, b);
}

/// The shift count where it is in [0, width), else -1.
int shift_count(DType dtype, std::uint64_t b) {
  return b < static_cast<std::uint64_t>(ir::bits(dtype)) ? static_cast<int>(b) : -1;
}

std::uint64_t shift_right(DType dtype, std::uint64_t a, std::uint64_t b) {
  const int count = shift_count(dtype, b);
  if (!ir::is_signed_integer(dtype)) return count < 0 ? 0 : a >> count;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (count < 0 ? 63 : count));
}

/// Truncates and saturates; NaN gives 0.
std::uint64_t truncate_to(DType dtype, Wide value) {
  if (std::isnan(value)) return 0;
  const int digits = ir::bits(dtype) - (ir::is_signed_integer(dtype) ? 1 : 0);
  const Wide above = std::ldexp(1.0L, digits);
  const Wide lowest = ir::is_signed_integer(dtype) ? -above : 0;
  const Wide whole = std::trunc(value);
  if (whole >= above) return ~std::uint64_t{0} >> (64 - digits);
  if (whole <= lowest)
    return wrap_to(dtype, static_cast<std::uint64_t>(static_cast<std::int64_t>(lowest)));
  if (whole < 0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
  return static_cast<std::uint64_t>(whole);
}

/// Rounds unless `to` holds every value that arithmetic on `from` computes in (f16 to f32 is no
/// rounding, as f16 computes in f32). A cast to a narrow type rounds even from that type itself.
Element cast_to_float(DType from, DType to, const Element& a) {
  if (!ir::is_float(from)) return make_real(round_to(to, integer_value(from, a.bits)));
  const bool holds = !ir::is_narrow_float(to) &&
                     ir::significand_bits(to) >= ir::significand_bits(ir::compute_dtype(from));
  return holds ? a : round_element(to, a);
}

Element evaluate_cast(DType from, DType to, const Element& a) {
  if (ir::is_float(to)) return cast_to_float(from, to, a);
  if (!ir::is_float(from)) {
    return make_bits(to == DType::Bool ? (a.bits != 0 ? 1 : 0) : wrap_to(to, a.bits));
  }
  if (to == DType::Bool) {
    const Element result = make_bits(a.real != 0 ? 1 : 0);
    return may_be_zero(a) ? make_undecided(result) : result;
  }
  const Element result = make_bits(truncate_to(to, a.real));
  const bool decided = a.is_exact() || (truncate_to(to, low_end(a)) == result.bits &&
                                        truncate_to(to, high_end(a)) == result.bits);
  return decided ? result : make_undecided(result);
}

/// `a` is a value of `from`; payloads of NaN are unspecified.
Element evaluate_bitcast(DType from, DType to, const Element& a) {
  if (!ir::is_float(from)) {
    if (ir::is_float(to))
      return make_real(decode_real(to, a.bits & (~0ULL >> (64 - ir::bits(to)))));
    return make_bits(to == DType::Bool ? (a.bits != 0 ? 1 : 0) : wrap_to(to, a.bits));
  }
  if (from == to) return a;
  const std::uint64_t bits = encode_real(from, a.real);
  const Element result =
      ir::is_float(to) ? make_real(decode_real(to, bits)) : make_bits(wrap_to(to, bits));
  const bool decided = a.is_exact() && !std::isnan(a.real);
  return decided ? result : make_undecided(result);
}

/// The table. No operand is undecided here, and select is evaluate_select's.
Element evaluate_decided(Op op, DType dtype, DType result, std::span<const Element> x) {
  const bool real = ir::is_float(dtype);
  const DType compute = ir::compute_dtype(dtype);
  const std::uint64_t a = x[0].bits;
  const std::uint64_t b = x.size() > 1 ? x[1].bits : 0;
  const auto whole = [&](std::uint64_t bits) { return make_bits(wrap_to(dtype, bits)); };
  const auto compare = [&](auto holds) { return compare_elements(dtype, holds, x[0], x[1]); };
  switch (op) {
    case Op::Neg: return real ? make_real(-x[0].real, x[0].bound) : whole(0 - a);
    case Op::Abs:
      if (real) return make_real(std::abs(x[0].real), x[0].bound);
      return whole(is_less(dtype, a, 0) ? 0 - a : a);
    case Op::Sqrt: return evaluate_sqrt(compute, x[0]);
    case Op::Floor: return evaluate_step([](Wide v) { return std::floor(v); }, x[0]);
    case Op::Round: return evaluate_step([](Wide v) { return std::nearbyint(v); }, x[0]);
    case Op::Rsqrt:
    case Op::Cbrt:
    case Op::Erf:
    case Op::Erfc:
    case Op::Erfinv:
    case Op::Lgamma:
    case Op::Digamma:
    case Op::Hypot:
    case Op::Pow: return evaluate_special(op, dtype, x);
    case Op::Exp:
    case Op::Log:
    case Op::Tanh:
    case Op::Exp2:
    case Op::Expm1:
    case Op::Log2:
    case Op::Log1p:
    case Op::Log10:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan:
    case Op::Asinh:
    case Op::Acosh:
    case Op::Atanh:
    case Op::Atan2: return evaluate_function(op, dtype, x);
    case Op::Not: return whole(~a);
    case Op::Add: return real ? evaluate_add(compute, x[0], x[1]) : whole(a + b);
    case Op::Sub:
      if (real) return evaluate_add(compute, x[0], make_real(-x[1].real, x[1].bound));
      return whole(a - b);
    case Op::Mul: return real ? evaluate_mul(compute, x[0], x[1]) : whole(a * b);
    case Op::Div: return evaluate_div(compute, x[0], x[1]);
    case Op::FloorDiv: return whole(floor_div(dtype, a, b));
    case Op::Mod: return whole(a - b * floor_div(dtype, a, b));
    case Op::Minimum:
      return real ? evaluate_extreme(false, x[0], x[1]) : whole(is_less(dtype, b, a) ? b : a);
    case Op::Maximum:
      return real ? evaluate_extreme(true, x[0], x[1]) : whole(is_less(dtype, a, b) ? b : a);
    case Op::And: return whole(a & b);
    case Op::Or: return whole(a | b);
    case Op::Xor: return whole(a ^ b);
    case Op::ShiftLeft: return whole(shift_count(dtype, b) < 0 ? 0 : a << shift_count(dtype, b));
    case Op::ShiftRight: return whole(shift_right(dtype, a, b));
    case Op::Eq: return compare([](Wide p, Wide q) { return p == q; });
    case Op::Ne: return compare([](Wide p, Wide q) { return p != q; });
    case Op::Lt: return compare([](Wide p, Wide q) { return p < q; });
    case Op::Le: return compare([](Wide p, Wide q) { return p <= q; });
    case Op::Gt: return compare([](Wide p, Wide q) { return p > q; });
    case Op::Ge: return compare([](Wide p, Wide q) { return p >= q; });
    case Op::Select: return evaluate_select(x[0], x[1], x[2]);
    case Op::Fma: return evaluate_fma(compute, x[0], x[1], x[2]);
    case Op::Cast: return evaluate_cast(dtype, result, x[0]);
    case Op::Bitcast: return evaluate_bitcast(dtype, result, x[0]);
#include "ir/cases_not_scalar.def"
    case Op::Constant:
    case Op::None: break;
  }
  support::throw_internal("{} is no scalar operator", ir::to_string(op));
}

}  // namespace

Wide product_spread(const Element& a, const Element& b) {
  if (!std::isfinite(a.real)) return may_be_zero(b) ? kInfinity : 0;
  if (!std::isfinite(b.real)) return may_be_zero(a) ? kInfinity : 0;
  return std::abs(a.real) * b.bound + std::abs(b.real) * a.bound +
         static_cast<Wide>(a.bound) * b.bound;
}

Element evaluate_scalar(Op op, DType operand, DType result, std::span<const Element> operands) {
  if (op == Op::Select) return evaluate_select(operands[0], operands[1], operands[2]);
  bool undecided = false;
  bool nan = false;
  for (const Element& element : operands) {
    undecided = undecided || element.is_undecided();
    nan = nan || (ir::is_float(operand) && element.is_certain_nan());
  }
  if (!undecided) return evaluate_decided(op, operand, result, operands);
  std::array<Element, 3> decided{};
  std::copy(operands.begin(), operands.end(), decided.begin());
  for (Element& element : decided) {
    if (element.is_undecided()) element.bound = 0;
  }
  const Element value =
      evaluate_decided(op, operand, result, std::span(decided).first(operands.size()));
  // What NaN is joined with does not matter.
  return nan ? value : make_undecided(value);
}

}  // namespace sinter::reference
