// sqrt(x^2 + y^2) of operands scaled by a power of two where a square would overflow or lose bits.
// 20 operators, bitcasts aside.
#include <limits>

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

/// Outside [low, high] operands are scaled up or down.
struct Scaling {
  double low;
  double high;
  double up;
  double down;
};

constexpr Scaling kScalingF32{.low = 0x1p-62, .high = 0x1p62, .up = 0x1p87, .down = 0x1p-70};
constexpr Scaling kScalingF64{.low = 0x1p-510, .high = 0x1p510, .up = 0x1p600, .down = 0x1p-600};

}  // namespace

std::shared_ptr<const ir::Graph> make_hypot(ir::DType dtype) {
  ScalarBuilder b("hypot", dtype);
  const Value x = b.abs(b.parameter("x"));
  const Value y = b.abs(b.parameter("y"));
  const Value larger = b.maximum(x, y);
  const Value smaller = b.minimum(x, y);

  const Scaling scaling = b.is_f32() ? kScalingF32 : kScalingF64;
  const Value one = b.number(1.0);
  const Value is_small = b.lt(larger, b.number(scaling.low));
  const Value is_large = b.lt(b.number(scaling.high), larger);
  const auto choose = [&](double small, double large) {
    return b.select(is_small, b.number(small), b.select(is_large, b.number(large), one));
  };
  const Value scale = choose(scaling.up, scaling.down);
  const Value a = b.mul(larger, scale);
  const Value c = b.mul(smaller, scale);
  const Value root = b.sqrt(b.fma(a, a, b.mul(c, c)));
  const Value finite = b.mul(root, choose(1 / scaling.up, 1 / scaling.down));

  // An infinite operand wins over NaN.
  const Value infinity = b.number(std::numeric_limits<double>::infinity());
  const Value is_infinite = b.bit_or(b.eq(x, infinity), b.eq(y, infinity));
  return b.finish(b.select(is_infinite, infinity, finite));
}

}  // namespace sinter::codegen
