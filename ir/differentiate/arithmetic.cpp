// Arithmetic, choices and conversions. Where a function has no derivative, docs/semantics.md says which
// value stands in: that of PyTorch and JAX where they agree.
#include "ir/differentiate/reverse.h"

namespace sinter::ir {

namespace {

/// To the operand that wins; equal ones share evenly.
void extreme(Reverse& r, Op wins) {
  const Expr ties = equal(r[0], r[1]);
  for (const std::size_t i : {0, 1}) {
    r.add(i, [&] {
      const Expr g = r.gradient();
      return select(make_node(wins, {r[i], r[1 - i]}), g, select(ties, g * 0.5, 0));
    });
  }
}

}  // namespace

template <>
void derivative<Op::Neg>(Reverse& r) {
  r.add(0, [&] { return -r.gradient(); });
}

template <>
void derivative<Op::Abs>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * make_node(Op::Sign, {r[0]}); });
}

template <>
void derivative<Op::Sqrt>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * 0.5 / r.result(); });
}

template <>
void derivative<Op::Rsqrt>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * -0.5 * (r.result() / r[0]); });
}

template <>
void derivative<Op::Cbrt>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / (r.result() * r.result() * 3); });
}

template <>
void derivative<Op::Add>(Reverse& r) {
  r.add(0, [&] { return r.gradient(); });
  r.add(1, [&] { return r.gradient(); });
}

template <>
void derivative<Op::Sub>(Reverse& r) {
  r.add(0, [&] { return r.gradient(); });
  r.add(1, [&] { return -r.gradient(); });
}

template <>
void derivative<Op::Mul>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * r[1]; });
  r.add(1, [&] { return r.gradient() * r[0]; });
}

template <>
void derivative<Op::Div>(Reverse& r) {
  r.add(0, [&] { return r.gradient() / r[1]; });
  r.add(1, [&] { return -(r.gradient() / r[1]) * (r[0] / r[1]); });
}

template <>
void derivative<Op::Fma>(Reverse& r) {
  r.add(0, [&] { return r.gradient() * r[1]; });
  r.add(1, [&] { return r.gradient() * r[0]; });
  r.add(2, [&] { return r.gradient(); });
}

/// 0 at the origin, where it has a tip.
template <>
void derivative<Op::Hypot>(Reverse& r) {
  const Expr length = r.result();
  const Expr divisor = select(equal(length, 0), 1, length);
  r.add(0, [&] { return r.gradient() * (r[0] / divisor); });
  r.add(1, [&] { return r.gradient() * (r[1] / divisor); });
}

/// 0 at the origin. Divided twice: the square of the length may overflow.
template <>
void derivative<Op::Atan2>(Reverse& r) {
  const Expr length = make_node(Op::Hypot, {r[0], r[1]});
  const Expr divisor = select(equal(length, 0), 1, length);
  r.add(0, [&] { return r.gradient() * (r[1] / divisor / divisor); });
  r.add(1, [&] { return -r.gradient() * (r[0] / divisor / divisor); });
}

/// a^0 is 1 everywhere, and 0^b is 0 for all b > 0.
template <>
void derivative<Op::Pow>(Reverse& r) {
  const Expr a = r[0];
  const Expr b = r[1];
  r.add(0, [&] {
    const Expr slope = b * make_node(Op::Pow, {a, b - 1});
    return r.gradient() * select(equal(b, 0), 0, slope);
  });
  r.add(1, [&] {
    const Expr is_flat = equal(a, 0) & (b >= 0);
    return r.gradient() * select(is_flat, 0, r.result() * log(select(is_flat, 1, a)));
  });
}

template <>
void derivative<Op::Minimum>(Reverse& r) {
  extreme(r, Op::Lt);
}

template <>
void derivative<Op::Maximum>(Reverse& r) {
  extreme(r, Op::Gt);
}

template <>
void derivative<Op::Select>(Reverse& r) {
  r.add(1, [&] { return select(r[0], r.gradient(), 0); });
  r.add(2, [&] { return select(r[0], 0, r.gradient()); });
}

/// As if it did not round; saturation has no part either.
template <>
void derivative<Op::Cast>(Reverse& r) {
  r.add(0, [&] { return r.gradient(); });
}

}  // namespace sinter::ir
