// Activation functions.
#include <numbers>

#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

Expr clamp(const Expr& a, double low, double high) { return minimum(maximum(a, low), high); }

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
  if (variant == "gelu_tanh") return {value * make_node(Op::GeluTanh, {gate})};
  if (variant == "relu") return {value * make_node(Op::Relu, {gate})};
  if (variant == "none") return {value * gate};
  call.fail("variant '{}' is none of sigmoid, silu, gelu_tanh, relu, none", variant);
}

}  // namespace sinter::ir
