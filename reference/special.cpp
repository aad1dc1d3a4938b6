// Values come from the C library in long double, or from gamma_erf.cpp. What an operand's bound does
// to the result follows from the ends of its interval where the function is monotone, and else from
// its derivative.
#include "reference/special.h"

#include "reference/functions.h"
#include "reference/interval.h"
#include "reference/rounding.h"
#include "support/check.h"

namespace sinter::reference {

using ir::DType;
using ir::Op;

namespace {

/// Limits are certain for exact operands; so are zeros, unless they are the difference of `terms`.
Element make_result(DType dtype, Wide value, bool is_exact, Wide propagated, Wide terms = 0) {
  const bool is_limit = is_exact && (std::isinf(value) || (value == 0 && terms == 0));
  return function_element(dtype, value, is_limit, propagated, terms);
}

/// A monotone function that is NaN outside [low, high].
template <typename F>
Element evaluate_monotone(DType dtype, const F& f, const Element& a, Wide low = -kInfinity,
                          Wide high = kInfinity) {
  const Wide value = f(a.real);
  if (!a.is_exact() && (low_end(a) < low || high_end(a) > high)) {
    const bool is_outside = high_end(a) < low || low_end(a) > high;
    return is_outside ? make_real(kNan) : make_undecided(make_real(value));
  }
  return make_result(dtype, value, a.is_exact(), spread(f, a));
}

/// The pole at zero has the sign of the zero.
Element evaluate_rsqrt(DType dtype, const Element& a) {
  const auto f = [](Wide x) { return 1 / std::sqrt(x); };
  if (may_be_zero(a)) return make_undecided(make_real(f(a.real)));
  return evaluate_monotone(dtype, f, a, 0);
}

/// An operand changes the result by no more than itself.
Element evaluate_hypot(DType dtype, const Element& a, const Element& b) {
  const Wide value = std::hypot(a.real, b.real);
  const bool is_exact = a.is_exact() && b.is_exact();
  return make_result(dtype, value, is_exact, static_cast<Wide>(a.bound) + b.bound);
}

/// Monotone in each operand for a > 0, so that the corners of the rectangle of operands bound the
/// result; so it is in a < 0 for an exact whole b. Everything else that is not exact is undecided.
Element evaluate_pow(DType dtype, const Element& a, const Element& b) {
  const Wide value = std::pow(a.real, b.real);
  const bool is_exact = a.is_exact() && b.is_exact();
  if (is_exact || (b.is_exact() && b.real == 0) || (a.is_exact() && a.real == 1)) {
    return make_result(dtype, value, true, 0);
  }
  const bool is_positive = low_end(a) > 0;
  const bool is_whole_power = high_end(a) < 0 && b.is_exact() && std::floor(b.real) == b.real;
  if (!is_positive && !is_whole_power) return make_undecided(make_real(value));
  Wide propagated = 0;
  for (const Wide x : {low_end(a), high_end(a)}) {
    for (const Wide y : {low_end(b), high_end(b)}) {
      propagated = std::max(propagated, std::abs(std::pow(x, y) - value));
    }
  }
  return make_result(dtype, value, false, propagated);
}

/// Whether an interval holds no pole of Gamma: x > 0, or between two neighbouring whole numbers.
bool is_between_poles(const Element& a) {
  if (low_end(a) > 0) return true;
  const Wide below = std::floor(low_end(a));
  return below < low_end(a) && high_end(a) < below + 1;
}

/// Below 0 both functions are the difference of two terms (the reflection formulas), and the promise
/// holds beside their sizes: near the zeros there the relative error has no bound.
Element evaluate_lgamma(DType dtype, const Element& a) {
  const Wide value = std::lgamma(a.real);
  if (!a.is_exact() && !is_between_poles(a)) return make_undecided(make_real(value));
  // digamma grows between the poles: the derivative is largest at an end.
  Wide propagated = 0;
  if (!a.is_exact()) {
    const Wide slope = std::max(std::abs(digamma(low_end(a))), std::abs(digamma(high_end(a))));
    propagated = slope * a.bound;
  }
  const bool is_reflected = a.real < 0 && std::isfinite(value);
  const Wide term = std::lgamma(1 - a.real);
  const Wide terms = is_reflected ? std::abs(term) + std::abs(value + term) : 0;
  return make_result(dtype, value, a.is_exact(), propagated, terms);
}

Element evaluate_digamma(DType dtype, const Element& a) {
  const Wide value = digamma(a.real);
  if (!a.is_exact() && !is_between_poles(a)) return make_undecided(make_real(value));
  const bool is_reflected = a.real < 0 && std::isfinite(value);
  // pi cot(pi r) = 1/r - ..., r being the distance to the nearest pole, has zeros itself.
  const Wide r = a.real - std::nearbyint(a.real);
  const Wide terms = is_reflected ? std::abs(digamma(1 - a.real)) + std::abs(1 / r) : 0;
  // The reference itself is exact to 2^-62 beside 1 at the positive root.
  const Wide own_error = std::isfinite(value) && a.real > 0 ? 0x1p-62L : 0;
  return make_result(dtype, value, a.is_exact(), spread(digamma, a) + own_error, terms);
}

}  // namespace

Element evaluate_special(Op op, DType dtype, std::span<const Element> operands) {
  const Element& a = operands[0];
  switch (op) {
    case Op::Rsqrt: return evaluate_rsqrt(dtype, a);
    case Op::Cbrt:
      return evaluate_monotone(
          dtype, [](Wide x) { return std::cbrt(x); }, a);
    case Op::Hypot: return evaluate_hypot(dtype, a, operands[1]);
    case Op::Pow: return evaluate_pow(dtype, a, operands[1]);
    case Op::Erf:
      return evaluate_monotone(
          dtype, [](Wide x) { return std::erf(x); }, a);
    case Op::Erfc:
      return evaluate_monotone(
          dtype, [](Wide x) { return std::erfc(x); }, a);
    case Op::Erfinv: return evaluate_monotone(dtype, erfinv, a, -1, 1);
    case Op::Lgamma: return evaluate_lgamma(dtype, a);
    case Op::Digamma: return evaluate_digamma(dtype, a);
    default: support::throw_internal("{} is no special function", ir::to_string(op));
  }
}

}  // namespace sinter::reference
