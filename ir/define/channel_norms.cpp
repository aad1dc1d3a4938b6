// Norms over the extents of [n, channels, ...], with a weight and a bias a channel.
#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

struct Moments {
  Expr mean;  // the axes kept
  Expr variance;
  Expr difference;
};

Moments moments(const Expr& a, const Integers& axes) {
  const Expr count = size(a, element_count(a, axes), a.dtype());
  const Expr mean = sum(a, axes, Keep::Yes) / count;
  const Expr difference = a - mean;
  return {mean, sum(difference * difference, axes, Keep::Yes) / count, difference};
}

/// An operand [channels] along the axis of the first operand.
Expr by_channel(const Call& call, std::size_t operand, std::int64_t axis) {
  const Expr& parameter = call[operand];
  const Expr& a = call[0];
  if (parameter.rank() != 1 || parameter.dtype() != a.dtype() ||
      is_provably_different(parameter.extent(0), a.extent(axis))) {
    call.fail("operand {} must be {}[{}]; given {}", operand, to_string(call.dtype()),
              to_string(a.extent(axis)), to_string(call.given(operand)));
  }
  Shape shape(a.rank(), Dim(1));
  shape[static_cast<std::size_t>(axis)] = a.extent(axis);
  return reshape(parameter, shape);
}

/// Weight and bias, where given, are operands `first` and `first` + 1.
Expr affine(const Call& call, Expr a, std::size_t first, std::int64_t axis) {
  if (call.size() > first) a = a * by_channel(call, first, axis);
  if (call.size() > first + 1) a = a + by_channel(call, first + 1, axis);
  return a;
}

double epsilon(const Call& call) { return call.real(AttributeName::Epsilon, 1e-5); }

Expr normalized(const Call& call, const Expr& a, const Integers& axes) {
  const Moments m = moments(a, axes);
  return m.difference * (1 / sqrt(m.variance + epsilon(call)));
}

void need_rank(const Call& call, std::size_t least) {
  if (call[0].rank() >= least) return;
  call.fail("it needs [n, channels, ...], of at least {} dimensions; given {}", least,
            to_string(call.given(0)));
}

Integers axes_from(std::size_t first, std::size_t rank) {
  Integers axes;
  for (std::size_t d = first; d < rank; ++d) axes.push_back(static_cast<std::int64_t>(d));
  return axes;
}

std::int64_t channel_axis(const Call& call) {
  const auto axis = call.attributes().get_or<std::int64_t>(AttributeName::Axis, 1);
  if (axis >= 0 && axis < static_cast<std::int64_t>(call[0].rank())) return axis;
  call.fail("there is no axis {} in {}", axis, to_string(call.given(0)));
}

}  // namespace

/// Y. Wu and K. He, Group Normalization (2018).
template <>
Exprs define<Op::GroupNorm>(const Call& call) {
  call.need_operands(1, 3);
  need_rank(call, 2);
  const auto groups = call.attributes().get<std::int64_t>(AttributeName::Count);
  if (groups < 1) call.fail("{} groups; 1 at least is needed", groups);
  const Shape whole = call[0].shape();
  const Dim part = floor_div(whole[1], groups);
  if (part * groups != whole[1]) {
    call.fail("dimension 1 of {} is no multiple of {} groups", to_string(call.given(0)), groups);
  }
  Shape shape = whole;
  shape[1] = part;
  shape.insert(shape.begin() + 1, Dim(groups));
  const Expr a = normalized(call, reshape(call[0], shape), axes_from(2, shape.size()));
  return {affine(call, reshape(a, whole), 1, 1)};
}

/// D. Ulyanov, A. Vedaldi and V. Lempitsky, Instance Normalization (2016).
template <>
Exprs define<Op::InstanceNorm>(const Call& call) {
  call.need_operands(1, 3);
  need_rank(call, 3);
  return {affine(call, normalized(call, call[0], axes_from(2, call[0].rank())), 1, 1)};
}

/// S. Ioffe and C. Szegedy, Batch Normalization (2015).
template <>
Exprs define<Op::BatchNorm>(const Call& call) {
  call.need_operands(3, 5);
  const std::int64_t axis = channel_axis(call);
  const Expr mean = by_channel(call, 1, axis);
  const Expr variance = by_channel(call, 2, axis);
  return {affine(call, (call[0] - mean) * (1 / sqrt(variance + epsilon(call))), 3, axis)};
}

template <>
Exprs define<Op::BatchNormTrain>(const Call& call) {
  call.need_operands(1, 3);
  const std::int64_t axis = channel_axis(call);
  Integers axes;
  for (std::size_t d = 0; d < call[0].rank(); ++d) {
    if (static_cast<std::int64_t>(d) != axis) axes.push_back(static_cast<std::int64_t>(d));
  }
  const Moments m = moments(call[0], axes);
  const Expr a = m.difference * (1 / sqrt(m.variance + epsilon(call)));
  const Shape channels{call[0].extent(axis)};
  return {affine(call, a, 1, axis), reshape(m.mean, channels), reshape(m.variance, channels)};
}

}  // namespace sinter::ir
