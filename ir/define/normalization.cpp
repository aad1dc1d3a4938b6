// Softmax and the norms. What divides a whole row is inverted once: a sum of exponentials is at least 1, and
// the inverse of a square root neither overflows nor vanishes where the root does not.
#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

struct Shifted {
  Expr value;  // a - max(a)
  Expr sum;    // of exp(value), the axis kept
};

/// The maximum of exactly what is exponentiated is taken out.
Shifted shift(const Expr& a, std::int64_t axis) {
  const Integers axes{axis};
  const Expr value = a - reduce(Op::Max, a, axes, Keep::Yes);
  return {value, sum(exp(value), axes, Keep::Yes)};
}

/// Weight and bias have the shape of the dimensions that are normalized over.
Expr over_axes(const Call& call, std::size_t operand, const Integers& axes) {
  const Expr& parameter = call[operand];
  if (parameter.rank() != axes.size()) {
    call.fail("operand {} must have the {} dimensions that are normalized over; given {}", operand,
              axes.size(), to_string(call.given(operand)));
  }
  Shape shape(call[0].rank(), Dim(1));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto d = static_cast<std::size_t>(axes[i]);
    shape[d] = call[0].shape()[d];
    if (parameter.shape()[i] == shape[d]) continue;
    call.fail("operand {} is {}, but dimension {} of {} needs {}", operand,
              to_string(call.given(operand)), axes[i], to_string(call.given(0)),
              to_string(shape[d]));
  }
  return reshape(parameter, shape);
}

Expr mean(const Expr& a, const Integers& axes) {
  const Expr total = sum(a, axes, Keep::Yes);
  return total / size(a, element_count(a, axes), a.dtype());
}

}  // namespace

template <>
Exprs define<Op::Softmax>(const Call& call) {
  const Shifted shifted = shift(call[0], call.axis());
  return {exp(shifted.value) * (1 / shifted.sum)};
}

template <>
Exprs define<Op::LogSoftmax>(const Call& call) {
  const Shifted shifted = shift(call[0], call.axis());
  return {shifted.value - log(shifted.sum)};
}

template <>
Exprs define<Op::MaskedSoftmax>(const Call& call) {
  const Integers axes{call.axis()};
  const Expr& mask = call[1];
  if (mask.dtype() != DType::Bool)
    call.fail("the mask must be bool; given {}", to_string(call.given(1)));
  const Expr a = select(mask, call[0], -std::numeric_limits<double>::infinity());
  const Expr any = reduce(Op::Any, broadcast_to(mask, a.shape()), axes, Keep::Yes);
  const Expr largest = select(any, reduce(Op::Max, a, axes, Keep::Yes), 0);
  const Expr e = select(mask, exp(call[0] - largest), 0);
  const Expr total = sum(e, axes, Keep::Yes);
  return {select(mask, e * (1 / total), 0)};
}

/// J. Ba, J. Kiros and G. Hinton, Layer Normalization (2016).
template <>
Exprs define<Op::LayerNorm>(const Call& call) {
  call.need_operands(1, 3);
  const Integers axes = call.axes();
  const Expr& a = call[0];
  const Expr difference = a - mean(a, axes);
  const Expr variance = mean(difference * difference, axes);
  Expr result = difference * (1 / sqrt(variance + call.real(AttributeName::Epsilon, 1e-5)));
  if (call.size() > 1) result = result * over_axes(call, 1, axes);
  if (call.size() > 2) result = result + over_axes(call, 2, axes);
  return {result};
}

/// B. Zhang and R. Sennrich, Root Mean Square Layer Normalization (2019).
template <>
Exprs define<Op::RmsNorm>(const Call& call) {
  call.need_operands(1, 2);
  const Integers axes = call.axes();
  const Expr& a = call[0];
  Expr result = a * (1 / sqrt(mean(a * a, axes) + call.real(AttributeName::Epsilon, 1e-6)));
  if (call.size() > 1) result = result * over_axes(call, 1, axes);
  return {result};
}

template <>
Exprs define<Op::L2Normalize>(const Call& call) {
  const Integers axes = call.axes();
  const Expr& a = call[0];
  const Expr norm = make_node(Op::Norm, {a}, {{AttributeName::Axes, axes}});
  return {a / maximum(keep_axes(norm, a, axes), call.real(AttributeName::Epsilon, 1e-12))};
}

}  // namespace sinter::ir
