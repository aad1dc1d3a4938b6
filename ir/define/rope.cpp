// Rotary position encoding: pairs of elements turned by angles.
#include <cmath>
#include <numbers>

#include "ir/define/window.h"

namespace sinter::ir {

namespace {

/// How variant of rope arranges the pairs of [..., d]: `shape` has a dimension 2 at `axis`.
struct Pairs {
  bool interleaved;
  Dim count;
  Shape shape;
  std::int64_t axis;
};

Pairs pairs_of(const Call& call) {
  const Expr& a = call[0];
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "halves");
  if (variant != "halves" && variant != "interleaved") {
    call.fail("variant '{}' is none of halves, interleaved", variant);
  }
  if (a.rank() == 0) call.fail("it needs a dimension of pairs; given {}", to_string(call.given(0)));
  const Dim half = floor_div(a.shape().back(), 2);
  if (half * 2 != a.shape().back()) {
    call.fail("the last dimension of {} is odd", to_string(call.given(0)));
  }
  const bool interleaved = variant == "interleaved";
  Shape shape = a.shape();
  shape.back() = interleaved ? half : Dim(2);
  shape.push_back(interleaved ? Dim(2) : half);
  const auto axis = static_cast<std::int64_t>(interleaved ? a.rank() : a.rank() - 1);
  return {interleaved, half, shape, axis};
}

}  // namespace

/// J. Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding (2021).
template <>
Exprs define<Op::Rope>(const Call& call) {
  const Expr& a = call[0];
  const Pairs pairs = pairs_of(call);
  const auto turn = [&](std::size_t operand) {
    const Expr& table = call[operand];
    if (table.dtype() != a.dtype() || table.rank() == 0 || table.rank() > a.rank() ||
        is_provably_different(table.shape().back(), pairs.count)) {
      call.fail("operand {} must be {}[..., {}]; given {}", operand, to_string(call.dtype()),
                to_string(pairs.count), to_string(call.given(operand)));
    }
    const auto rank = static_cast<std::int64_t>(table.rank());
    return unsqueeze(table, pairs.interleaved ? rank : rank - 1);
  };
  const Expr x = reshape(a, pairs.shape);
  const Expr other = slice(x, pairs.axis, 1, 2, -1);
  const Expr is_first = equal(index_along(a, pairs.axis, 2, pairs.shape.size()), 0);
  const Expr turned = x * turn(1) + select(is_first, -other, other) * turn(2);
  return {reshape(turned, a.shape())};
}

/// Whole turns are taken away in f64, so that large positions keep their angles.
template <>
Exprs define<Op::RopePositions>(const Call& call) {
  const Expr& a = call[0];
  const Expr& positions = call[1];
  const Pairs pairs = pairs_of(call);
  call.need_integers(1);
  const double base = call.real(AttributeName::Base, 10000);
  if (!(base > 0)) call.fail("base {} is not positive", base);
  if (positions.rank() >= a.rank()) {
    call.fail("positions for the dimensions of {} but the last are needed; given {}",
              to_string(call.given(0)), to_string(call.given(1)));
  }
  constexpr double kTurn = 2 * std::numbers::pi;
  const Expr pair = cast(index_along(a, 0, pairs.count, 1), DType::F64);
  const Expr share = pair / size(a, pairs.count, DType::F64);
  const Expr frequency = exp(share * -std::log(base)) * (1 / kTurn);
  const auto last = static_cast<std::int64_t>(positions.rank());
  const Expr turns = unsqueeze(cast(positions, DType::F64), last) * frequency;
  const Expr angle = cast((turns - round(turns)) * kTurn, a.dtype());
  return {make_node(
      Op::Rope, {a, make_node(Op::Cos, {angle}), make_node(Op::Sin, {angle})},
      {{AttributeName::Variant, std::string(pairs.interleaved ? "interleaved" : "halves")}})};
}

}  // namespace sinter::ir
