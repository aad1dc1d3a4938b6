// exp(x) - 1 = 2^n (1 + r + r^2 P(r)) - 1 for x = n ln(2) + r, summed so that what is exact comes first:
// 2^n - 1, then 2^n r, then the rest. With n = 0 the value is r + r^2 P(r). Everything is halved until
// the end, as 2^n overflows before the result does. The polynomial is our own
// (scripts/coefficients/expm1.sollya).
#include "codegen/expand/coefficients/expm1.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

std::shared_ptr<const ir::Graph> make_expm1(ir::DType dtype) {
  ScalarBuilder b("expm1", dtype);
  const Value x = b.parameter("x");

  // Beyond these the result is inf or -1 as well.
  const Value clamped = b.minimum(b.maximum(x, b.number(-20.0, -40.0)), b.number(89.0, 710.0));
  const auto [n, bits, high, low, r] =
      reduce_exp(b, clamped, static_cast<double>(b.exponent_bias() - 1));
  const Value half_power = b.from_bits(b.shift_left(bits, b.significand_shift()));

  const Value tail = b.polynomial(coefficients::kExpm1F32, coefficients::kExpm1F64, r);
  const Value small = b.fma(b.mul(r, r), tail, low);
  const Value large = b.fma(half_power, high, b.sub(half_power, b.number(0.5)));
  const Value half = b.fma(half_power, small, large);

  // Halving would lose the last bit of a subnormal, and the sign of -0.0.
  const Value is_tiny = b.lt(b.abs(x), b.number(0x1p-25, 0x1p-54));
  return b.finish(b.select(is_tiny, x, b.add(half, half)));
}

}  // namespace sinter::codegen
