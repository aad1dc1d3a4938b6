// Values come from the C library in long double. Most functions are monotone, so that the ends of an
// operand's interval bound the result; the others have rules of their own.
#include "reference/functions.h"

#include "reference/interval.h"
#include "reference/rounding.h"
#include "support/check.h"

namespace sinter::reference {

using ir::DType;
using ir::Op;

namespace {

/// A function that is monotone on its domain [low, high] and NaN outside.
struct Monotone {
  Op op;
  Wide (*value)(Wide x);
  Wide low = -kInfinity;
  Wide high = kInfinity;
};

constexpr Monotone kMonotone[] = {
    {Op::Exp, [](Wide x) { return std::exp(x); }},
    {Op::Exp2, [](Wide x) { return std::exp2(x); }},
    {Op::Expm1, [](Wide x) { return std::expm1(x); }},
    {Op::Log, [](Wide x) { return std::log(x); }, 0},
    {Op::Log2, [](Wide x) { return std::log2(x); }, 0},
    {Op::Log10, [](Wide x) { return std::log10(x); }, 0},
    {Op::Log1p, [](Wide x) { return std::log1p(x); }, -1},
    {Op::Asin, [](Wide x) { return std::asin(x); }, -1, 1},
    {Op::Acos, [](Wide x) { return std::acos(x); }, -1, 1},
    {Op::Atan, [](Wide x) { return std::atan(x); }},
    {Op::Sinh, [](Wide x) { return std::sinh(x); }},
    {Op::Tanh, [](Wide x) { return std::tanh(x); }},
    {Op::Asinh, [](Wide x) { return std::asinh(x); }},
    {Op::Acosh, [](Wide x) { return std::acosh(x); }, 1},
    {Op::Atanh, [](Wide x) { return std::atanh(x); }, -1, 1},
};

bool is_limit(const Element& a, Wide value) {
  return a.is_exact() && (!std::isfinite(a.real) || !std::isfinite(value) || value == 0);
}

Element evaluate_monotone(const Monotone& row, DType dtype, const Element& a) {
  const Wide value = row.value(a.real);
  const bool reaches_end = low_end(a) < row.low || high_end(a) > row.high;
  if (!a.is_exact() && reaches_end) {
    const bool is_outside = high_end(a) < row.low || low_end(a) > row.high;
    return is_outside ? make_real(kNan) : make_undecided(make_real(value));
  }
  return function_element(dtype, value, is_limit(a, value), spread(row.value, a));
}

/// sin and cos change by no more than their operand does.
Element evaluate_wave(DType dtype, Wide value, const Element& a) {
  return function_element(dtype, value, is_limit(a, value), std::min<Wide>(a.bound, 2));
}

Element evaluate_tan(DType dtype, const Element& a) {
  const auto tan = [](Wide x) { return std::tan(x); };
  const Wide value = tan(a.real);
  // Between two poles the cosine keeps its sign; an interval shorter than pi holds at most one pole.
  const bool sign = std::cos(low_end(a)) > 0;
  const bool is_between = a.bound < 1.5 && sign == (std::cos(high_end(a)) > 0);
  if (!a.is_exact() && !is_between) return make_undecided(make_real(value));
  return function_element(dtype, value, is_limit(a, value), spread(tan, a));
}

/// Least at 0, which an interval may hold.
Element evaluate_cosh(DType dtype, const Element& a) {
  const auto cosh = [](Wide x) { return std::cosh(x); };
  const Wide value = cosh(a.real);
  const Wide below = may_be_zero(a) ? value - 1 : 0;
  return function_element(dtype, value, is_limit(a, value), std::max(spread(cosh, a), below));
}

/// Monotone in each operand, so that the corners of the rectangle of operands bound the result,
/// unless it holds the origin or the jump along the negative x axis.
Element evaluate_atan2(DType dtype, const Element& y, const Element& x) {
  const Wide value = std::atan2(y.real, x.real);
  const bool is_jump = may_be_zero(y) && low_end(x) <= 0;
  const bool is_flip = y.real == 0 && may_be_zero(x);
  if (is_jump || is_flip) return make_undecided(make_real(value));
  Wide propagated = 0;
  for (const Wide at_y : {low_end(y), high_end(y)}) {
    for (const Wide at_x : {low_end(x), high_end(x)}) {
      propagated = std::max(propagated, std::abs(std::atan2(at_y, at_x) - value));
    }
  }
  const bool is_exact = x.is_exact() && y.is_exact();
  return function_element(dtype, value, is_exact && value == 0, is_exact ? 0 : propagated);
}

}  // namespace

Element function_element(DType dtype, Wide value, bool is_limit, Wide propagated, Wide terms) {
  const DType compute = ir::compute_dtype(dtype);
  if (std::isnan(value)) return make_real(value);
  if (is_limit && round_to(compute, value) == value) return make_real(value);
  const Wide error = function_error(dtype);
  const Wide underflow = 4 * smallest_positive(compute);
  return computed_element(compute, value, propagated + error * terms + underflow, error);
}

Wide function_error(DType dtype) {
  return ir::is_narrow_float(dtype) ? 0x1p-10L : 8 * unit_roundoff(dtype);
}

Element loosen_function(Op op, DType dtype, Element element) {
  const bool is_loose = op == Op::Exp && ir::compute_dtype(dtype) == DType::F32;
  if (!is_loose || element.is_exact() || !std::isfinite(element.real)) return element;
  element.bound += static_cast<double>(0x1p-16L * std::abs(element.real) * kWideSlack);
  return element;
}

Element evaluate_function(Op op, DType dtype, std::span<const Element> operands) {
  const Element& a = operands[0];
  if (op == Op::Sin) return evaluate_wave(dtype, std::sin(a.real), a);
  if (op == Op::Cos) return evaluate_wave(dtype, std::cos(a.real), a);
  if (op == Op::Tan) return evaluate_tan(dtype, a);
  if (op == Op::Cosh) return evaluate_cosh(dtype, a);
  if (op == Op::Atan2) return evaluate_atan2(dtype, a, operands[1]);
  for (const Monotone& row : kMonotone) {
    if (row.op == op) return evaluate_monotone(row, dtype, a);
  }
  support::throw_internal("{} is no elementary function", ir::to_string(op));
}

}  // namespace sinter::reference
