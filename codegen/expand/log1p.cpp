// log(1 + x) by the exponent k of the rounded 1 + x: f = 2^-k x + (2^-k - 1) comes from x itself, so that
// nothing of a small x is lost, and what its rounding loses is added to the small terms. The polynomial
// is log's.
#include <limits>

#include "codegen/expand/coefficients/log.h"
#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

Log1pParts split_log1p(ScalarBuilder& b, Value x, const Value* rest) {
  const std::uint64_t shift = b.significand_shift();
  const std::uint64_t one = b.exponent_bias() << shift;
  const std::uint64_t two_thirds =
      b.is_f32() ? coefficients::kTwoThirdsF32 : coefficients::kTwoThirdsF64;
  const std::uint64_t exponent_mask = (2 * b.exponent_bias() + 1) << shift;

  // As in split_log: the exponent field of `moved` steps where 1 + x passes 2^k 4/3.
  const Value moved = b.add(b.to_bits(b.add(x, b.number(1.0))), b.bits(one - two_thirds));
  const Value field = b.bit_and(moved, b.bits(exponent_mask));
  const Value inverse = b.from_bits(b.sub(b.bits(2 * one), field));  // 2^-k
  const Value inverse_less_one = b.sub(inverse, b.number(1.0));
  const Value f = b.fma(x, inverse, inverse_less_one);
  Value lost = b.fma(x, inverse, b.sub(inverse_less_one, f));
  if (rest != nullptr) lost = b.fma(*rest, inverse, lost);

  // The biased exponent becomes a float as the low bits of the rounder.
  const std::uint64_t rounder_bits =
      ((b.exponent_bias() + shift) << shift) | (std::uint64_t{1} << (shift - 1));
  const Value biased = b.from_bits(b.bit_or(b.shift_right(moved, shift), b.bits(rounder_bits)));
  const Value k = b.sub(biased, b.number(b.rounder() + static_cast<double>(b.exponent_bias())));
  return {.k = k, .f = f, .lost = lost};
}

Value join_log1p(ScalarBuilder& b, const Log1pParts& parts) {
  const Value tail = b.polynomial(coefficients::kLogF32, coefficients::kLogF64, parts.f);
  const Value small = b.fma(b.mul(parts.f, parts.f), tail, parts.lost);
  const Value ln2 = b.number(coefficients::kLn2F32, coefficients::kLn2F64);
  return b.fma(parts.k, ln2, b.add(parts.f, small));
}

std::shared_ptr<const ir::Graph> make_log1p(ir::DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ScalarBuilder b("log1p", dtype);
  const Value x = b.parameter("x");

  // 2^-k is normal only for k up to 126 (1022): larger x are scaled, as they may be, 1 being lost.
  const Value is_large = b.lt(b.number(0x1p64, 0x1p512), x);
  const Value scaled = b.select(is_large, b.mul(x, b.number(0x1p-32, 0x1p-256)), x);
  Log1pParts parts = split_log1p(b, scaled);
  parts.k = b.add(parts.k, b.select(is_large, b.number(32.0, 256.0), b.number(0.0)));
  const Value finite = join_log1p(b, parts);

  // Only zeros and infinities are twice themselves; -inf is caught below.
  const Value is_itself = b.eq(b.add(x, x), x);
  const Value minus_one = b.number(-1.0);
  const Value otherwise = b.select(b.eq(x, minus_one), b.number(-kInfinity),
                                   b.number(std::numeric_limits<double>::quiet_NaN()));
  return b.finish(b.select(b.lt(minus_one, x), b.select(is_itself, x, finite), otherwise));
}

}  // namespace sinter::codegen
