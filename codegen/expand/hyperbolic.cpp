// sinh and cosh by one reduction: with x = n ln(2) + r, a = 2^(n-1) and b = 2^(-n-1),
//   sinh(x) = sinh(r) (a + b) + cosh(r) (a - b)
//   cosh(x) = cosh(r) (a + b) + sinh(r) (a - b)
// without a division, and exact enough around 0, where n = 0, a + b = 1 and a - b = 0. cosh(r) - 1 and
// sinh(r) - r are small, so that the sum of what is large is rounded once. Everything is halved until
// the end, as a overflows before the results do. The polynomials are our own
// (scripts/coefficients/hyperbolic.sollya); tanh has a file of its own.
#include "codegen/expand/coefficients/hyperbolic.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

// The results overflow below these, and n stays where 2^(n-2) is finite.
constexpr double kLargestF32 = 89.5;
constexpr double kLargestF64 = 710.5;

/// The pieces of the formulas above.
struct Pieces {
  Value high;        // r = high + ...
  Value sinh_rest;   // sinh(r) - high
  Value cosh_rest;   // cosh(r) - 1
  Value up;          // a / 2
  Value down;        // b / 2
  Value sum;         // (a + b) / 2
  Value difference;  // (a - b) / 2
};

/// For 0 <= x <= kLargest.
Pieces split_hyperbolic(ScalarBuilder& b, Value x) {
  namespace c = coefficients;
  const std::uint64_t shift = b.significand_shift();
  const auto offset = static_cast<double>(b.exponent_bias() - 2);
  const auto [n, bits, high, low, r] = reduce_exp(b, x, offset);
  const Value up_bits = b.shift_left(bits, shift);
  const Value up = b.from_bits(up_bits);  // 2^(n-2)
  // 2^(-n-2), or 0 where that would be subnormal.
  const Value both = b.bits((2 * b.exponent_bias() - 4) << shift);
  const Value down = b.from_bits(b.sub(both, b.minimum(up_bits, both)));

  const Value square = b.mul(r, r);
  const Value cosh_rest = b.mul(square, b.polynomial(c::kCoshF32, c::kCoshF64, square));
  const Value sinh_tail = b.polynomial(c::kSinhF32, c::kSinhF64, square);
  return {.high = high,
          .sinh_rest = b.fma(b.mul(square, r), sinh_tail, low),
          .cosh_rest = cosh_rest,
          .up = up,
          .down = down,
          .sum = b.add(up, down),
          .difference = b.sub(up, down)};
}

}  // namespace

std::shared_ptr<const ir::Graph> make_sinh(ir::DType dtype) {
  ScalarBuilder b("sinh", dtype);
  const Value x = b.parameter("x");
  const Value magnitude = b.abs(x);
  const Pieces p = split_hyperbolic(b, b.minimum(magnitude, b.number(kLargestF32, kLargestF64)));

  const Value large = b.fma(p.high, p.sum, p.difference);
  const Value small = b.fma(p.cosh_rest, p.difference, b.mul(p.sinh_rest, p.sum));
  const Value half = b.add(large, small);

  // Halving would lose the last bit of a subnormal.
  const Value is_tiny = b.lt(magnitude, b.number(0x1p-14, 0x1p-29));
  return b.finish(b.with_sign_of(x, b.select(is_tiny, magnitude, b.add(half, half))));
}

std::shared_ptr<const ir::Graph> make_cosh(ir::DType dtype) {
  ScalarBuilder b("cosh", dtype);
  const Value x = b.parameter("x");
  const Pieces p = split_hyperbolic(b, b.minimum(b.abs(x), b.number(kLargestF32, kLargestF64)));

  // The sum a + b would be rounded: b goes to the small terms.
  const Value large = b.fma(p.high, p.difference, p.up);
  const Value small = b.fma(p.cosh_rest, p.sum, b.fma(p.sinh_rest, p.difference, p.down));
  const Value half = b.add(large, small);
  return b.finish(b.add(half, half));
}

}  // namespace sinter::codegen
