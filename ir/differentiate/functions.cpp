// Elementary and special functions. Forms are chosen to stay accurate where both factors are small, and
// not to overflow between.
#include <array>
#include <numbers>

#include "ir/differentiate/reverse.h"

namespace sinter::ir {

namespace {

using std::numbers::ln10;
using std::numbers::ln2;

/// The derivative of digamma: recurrence to where its asymptotic series holds, reflection below 1/2.
/// M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 6.4.6, 6.4.7 and 6.4.12.
Expr trigamma(const Expr& a) {
  constexpr int kSteps = 10;
  const Expr is_reflected = a < 0.5;
  const Expr x = select(is_reflected, 1 - a, a);
  Expr total = 1 / (x * x);
  for (int k = 1; k < kSteps; ++k) total = total + 1 / ((x + k) * (x + k));
  const Expr inverse = 1 / (x + kSteps);
  const Expr square = inverse * inverse;
  // Bernoulli numbers B2 to B14.
  constexpr std::array kBernoulli{1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                  5.0 / 66, -691.0 / 2730, 7.0 / 6};
  Expr series = number(a, 0);
  for (std::size_t i = kBernoulli.size(); i-- > 0;) series = (series + kBernoulli[i]) * square;
  total = total + inverse * (series + inverse * 0.5 + 1);
  const Expr sine = make_node(Op::Sin, {(a - make_node(Op::Round, {a})) * std::numbers::pi});
  const double pi_squared = std::numbers::pi * std::numbers::pi;
  return select(is_reflected, number(a, pi_squared) / (sine * sine) - total, total);
}

Expr one_minus_square(const Expr& a) { return (1 - a) * (a + 1); }

}  // namespace

template <>
void derivative<Op::Exp>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * r.result(); });
}

template <>
void derivative<Op::Exp2>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * (r.result() * ln2); });
}

template <>
void derivative<Op::Expm1>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * exp(r[0]); });
}

template <>
void derivative<Op::Log>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / r[0]; });
}

template <>
void derivative<Op::Log2>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (r[0] * ln2); });
}

template <>
void derivative<Op::Log10>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (r[0] * ln10); });
}

template <>
void derivative<Op::Log1p>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (r[0] + 1); });
}

template <>
void derivative<Op::Sin>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * make_node(Op::Cos, {r[0]}); });
}

template <>
void derivative<Op::Cos>(Reverse& r) {
  r.add(0, [&] { return -r.gradient() * make_node(Op::Sin, {r[0]}); });
}

template <>
void derivative<Op::Tan>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * (r.result() * r.result() + 1); });
}

template <>
void derivative<Op::Asin>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / sqrt(one_minus_square(r[0])); });
}

template <>
void derivative<Op::Acos>(Reverse& r) {
  r.add(0, [&] { return -r.gradient() / sqrt(one_minus_square(r[0])); });
}

template <>
void derivative<Op::Atan>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (r[0] * r[0] + 1); });
}

template <>
void derivative<Op::Sinh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * make_node(Op::Cosh, {r[0]}); });
}

template <>
void derivative<Op::Cosh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * make_node(Op::Sinh, {r[0]}); });
}

template <>
void derivative<Op::Tanh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * one_minus_square(r.result()); });
}

template <>
void derivative<Op::Asinh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / make_node(Op::Hypot, {r[0], number(r[0], 1)}); });
}

template <>
void derivative<Op::Acosh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (sqrt(r[0] - 1) * sqrt(r[0] + 1)); });
}

template <>
void derivative<Op::Atanh>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / one_minus_square(r[0]); });
}

template <>
void derivative<Op::Erf>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * (exp(-(r[0] * r[0])) * (2 * std::numbers::inv_sqrtpi)); });
}

template <>
void derivative<Op::Erfc>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * (exp(-(r[0] * r[0])) * (-2 * std::numbers::inv_sqrtpi)); });
}

template <>
void derivative<Op::Erfinv>(Reverse& r) {
  const double scale = 0.5 / std::numbers::inv_sqrtpi;
  r.add(0, [&] { return r.gradient() * (exp(r.result() * r.result()) * scale); });
}

template <>
void derivative<Op::Lgamma>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * make_node(Op::Digamma, {r[0]}); });
}

template <>
void derivative<Op::Digamma>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * trigamma(r[0]); });
}

}  // namespace sinter::ir
