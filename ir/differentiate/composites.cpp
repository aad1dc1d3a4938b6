// Composites with a rule of their own, because it is better than what their definition gives.
#include <cmath>
#include <limits>

#include "ir/broadcast.h"
#include "ir/differentiate/folds.h"
#include "ir/differentiate/reverse.h"

namespace sinter::ir {

namespace {

Expr sign(const Expr& a) { return make_node(Op::Sign, {a}); }

Integers axis_of(const Reverse& r) {
  return {r.attributes().get<std::int64_t>(AttributeName::Axis)};
}

/// As a divisor that gives 0 / 0 = 0: where a length is 0, so is what is divided by it.
Expr nonzero(const Expr& length) { return select(equal(length, 0), 1, length); }

Expr softmax_gradient(const Expr& y, const Expr& g, const Integers& axes) {
  return y * (g - sum(y * g, axes, Keep::Yes));
}

}  // namespace

/// Its definition goes through bits. The sign of b does not move.
template <>
void derivative<Op::CopySign>(Reverse& r) {
  r.add(0, [&] {
    const Expr to = make_node(Op::CopySign, {number(r[1], 1), r[1]});
    return r.gradient() * (sign(r[0]) * to);
  });
}

/// 0 at 0, where maximum would give half.
template <>
void derivative<Op::Relu>(Reverse& r) {
  r.add(0, [&] { return select(r[0] > 0, r.gradient(), 0); });
}

/// Even in a, like the function's slope, and accurate in both tails; the definition has a kink at 0.
template <>
void derivative<Op::Sigmoid>(Reverse& r) {
  r.add(0, [&] {
    const Expr e = exp(-abs(r[0]));
    return r.gradient() * (e / ((e + 1) * (e + 1)));
  });
}

template <>
void derivative<Op::Softmax>(Reverse& r) {
  r.add(0, [&] { return softmax_gradient(r.result(), r.gradient(), axis_of(r)); });
}

template <>
void derivative<Op::LogSoftmax>(Reverse& r) {
  r.add(0,
        [&] { return r.gradient() - exp(r.result()) * sum(r.gradient(), axis_of(r), Keep::Yes); });
}

/// Rows without any element get 0, not 0 / 0.
template <>
void derivative<Op::MaskedSoftmax>(Reverse& r) {
  r.add(0, [&] { return softmax_gradient(r.result(), select(r[1], r.gradient(), 0), axis_of(r)); });
}

/// The Euclidean norm of zeros has gradient 0.
template <>
void derivative<Op::Norm>(Reverse& r) {
  const double order = r.attributes().get_or<double>(AttributeName::Order, 2);
  if (order == 0) return;  // a count does not move
  r.add(0, [&] {
    const Expr a = r[0];
    const Expr g = r.gradient();
    const auto axes = r.attributes().get<Integers>(AttributeName::Axes);
    if (order == 1) return keep_axes(g, a, axes) * sign(a);
    if (order == 2) return a * keep_axes(g / nonzero(r.result()), a, axes);
    if (std::isinf(order)) {
      return share_extreme(g, abs(a), order > 0 ? Op::Max : Op::Min, axes) * sign(a);
    }
    const Expr share = abs(a) / keep_axes(nonzero(r.result()), a, axes);
    const Expr power = make_node(Op::Pow, {select(equal(a, 0), 1, share), number(a, order - 1)});
    return keep_axes(g, a, axes) * sign(a) * power;
  });
}

/// That of equal elements is 0.
template <>
void derivative<Op::Std>(Reverse& r) {
  r.add(0, [&] {
    const Expr a = r[0];
    const auto axes = r.attributes().get<Integers>(AttributeName::Axes);
    const Expr count = size(a, element_count(a, axes), a.dtype());
    const Expr difference = a - sum(a, axes, Keep::Yes) / count;
    const Expr divisor = count - r.attributes().get_or<double>(AttributeName::Correction, 0);
    return difference * keep_axes(r.gradient() / (nonzero(r.result()) * divisor), a, axes);
  });
}

/// An update gets what its place gets.
template <>
void derivative<Op::ScatterAdd>(Reverse& r) {
  r.add(0, [&] { return r.gradient(); });
  r.add(2, [&] {
    const Shape shape = broadcast_shapes(r.shape(1), r.shape(2), r[0].location());
    return make_node(Op::TakeAlongAxis, {r.gradient(), broadcast_to(r[1], shape)},
                     {{AttributeName::Axis, axis_of(r)[0]}});
  });
}

}  // namespace sinter::ir
