// Activation functions.
#include <numbers>

#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

Expr clamp(const Expr& a, double low, double high) { return minimum(maximum(a, low), high); }

/// log(1 + exp(a)); the exponential never overflows.
Expr softplus(const Expr& a) { return maximum(a, 0) + log1p(exp(-abs(a))); }

}  // namespace

template <>
Exprs define<Op::Relu>(const Call& call) {
  return {maximum(call[0], 0)};
}

template <>
Exprs define<Op::Relu6>(const Call& call) {
  return {clamp(call[0], 0, 6)};
}

template <>
Exprs define<Op::LeakyRelu>(const Call& call) {
  const Expr& a = call[0];
  return {select(a >= 0, a, a * call.real(AttributeName::Alpha, 0.01))};
}

template <>
Exprs define<Op::Prelu>(const Call& call) {
  return {select(call[0] >= 0, call[0], call[0] * call[1])};
}

template <>
Exprs define<Op::Threshold>(const Call& call) {
  const Expr& a = call[0];
  const Expr value = number(a, call.real(AttributeName::Alpha, 0));
  // NaN is kept, as it is not at or below the limit.
  return {select(a <= call.real(AttributeName::Low, 0), value, a)};
}

template <>
Exprs define<Op::Hardtanh>(const Call& call) {
  const double low = call.real(AttributeName::Low, -1);
  const double high = call.real(AttributeName::High, 1);
  if (low > high) call.fail("low {} is above high {}", low, high);
  return {clamp(call[0], low, high)};
}

/// By exp(-|a|), which never overflows: small results keep their relative accuracy.
template <>
Exprs define<Op::Sigmoid>(const Call& call) {
  const Expr& a = call[0];
  const Expr e = exp(-abs(a));
  return {select(a >= 0, number(a, 1), e) / (e + 1)};
}

template <>
Exprs define<Op::Silu>(const Call& call) {
  return {call[0] * make_node(Op::Sigmoid, {call[0]})};
}

template <>
Exprs define<Op::Hardsigmoid>(const Call& call) {
  return {clamp(call[0] + 3, 0, 6) / 6};
}

template <>
Exprs define<Op::Hardswish>(const Call& call) {
  return {call[0] * (clamp(call[0] + 3, 0, 6) / 6)};
}

template <>
Exprs define<Op::Softsign>(const Call& call) {
  return {call[0] / (abs(call[0]) + 1)};
}

/// D. Hendrycks and K. Gimpel, Gaussian Error Linear Units (2016), the form with tanh.
template <>
Exprs define<Op::GeluTanh>(const Call& call) {
  const Expr& a = call[0];
  const double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  const Expr inner = a * (a * a * (0.044715 * scale) + scale);
  return {a * 0.5 * (tanh(inner) + 1)};
}

/// By erfc, which keeps the relative accuracy of small results. Hendrycks and Gimpel as above.
template <>
Exprs define<Op::Gelu>(const Call& call) {
  const Expr& a = call[0];
  return {a * 0.5 * make_node(Op::Erfc, {a * -(std::numbers::sqrt2 / 2)})};
}

/// D. Clevert et al., Fast and Accurate Deep Network Learning by Exponential Linear Units (2015).
template <>
Exprs define<Op::Elu>(const Call& call) {
  const Expr& a = call[0];
  return {select(a > 0, a, expm1(a) * call.real(AttributeName::Alpha, 1))};
}

/// G. Klambauer et al., Self-Normalizing Neural Networks (2017), whose constants these are.
template <>
Exprs define<Op::Selu>(const Call& call) {
  constexpr double kScale = 1.0507009873554804934;
  constexpr double kAlpha = 1.6732632423543772848;
  const Expr& a = call[0];
  return {select(a > 0, a * kScale, expm1(a) * (kScale * kAlpha))};
}

/// J. Barron, Continuously Differentiable Exponential Linear Units (2017).
template <>
Exprs define<Op::Celu>(const Call& call) {
  const Expr& a = call[0];
  const double alpha = call.real(AttributeName::Alpha, 1);
  if (alpha == 0) call.fail("alpha is 0, by which a is divided");
  return {select(a > 0, a, expm1(a / alpha) * alpha)};
}

template <>
Exprs define<Op::Softplus>(const Call& call) {
  const double beta = call.real(AttributeName::Beta, 1);
  if (!(beta > 0)) call.fail("beta {} is not positive", beta);
  if (beta == 1) return {softplus(call[0])};
  return {softplus(call[0] * beta) / beta};
}

/// D. Misra, Mish (2019). tanh(log(1 + e^a)) = n / (n + 2) for n = e^a (e^a + 2), divided by e^(2 a)
/// above and below the line where a is positive: nothing overflows, nothing cancels.
template <>
Exprs define<Op::Mish>(const Call& call) {
  const Expr& a = call[0];
  const Expr e = exp(-abs(a));
  const Expr is_positive = a >= 0;
  const Expr numerator = select(is_positive, e * 2 + 1, e * (e + 2));
  const Expr rest = select(is_positive, e * e * 2, 2);
  return {a * (numerator / (numerator + rest))};
}

template <>
Exprs define<Op::LogSigmoid>(const Call& call) {
  return {-softplus(-call[0])};
}

/// Y. Dauphin et al., Language Modeling with Gated Convolutional Networks (2016).
template <>
Exprs define<Op::Glu>(const Call& call) {
  const std::int64_t axis = call.axis();
  const Dim half = floor_div(call[0].extent(axis), 2);
  if (call[0].extent(axis) != half * 2) {
    call.fail("dimension {} of {} cannot be halved", axis, to_string(call.given(0)));
  }
  const Expr value = slice(call[0], axis, 0, half);
  const Expr gate = slice(call[0], axis, half, half);
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "sigmoid");
  if (variant == "sigmoid") return {value * make_node(Op::Sigmoid, {gate})};
  if (variant == "silu") return {value * make_node(Op::Silu, {gate})};
  if (variant == "gelu") return {value * make_node(Op::Gelu, {gate})};
  if (variant == "gelu_tanh") return {value * make_node(Op::GeluTanh, {gate})};
  if (variant == "relu") return {value * make_node(Op::Relu, {gate})};
  if (variant == "none") return {value * gate};
  call.fail("variant '{}' is none of sigmoid, silu, gelu, gelu_tanh, relu, none", variant);
}

}  // namespace sinter::ir
