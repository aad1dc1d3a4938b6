// log(x) = k ln(2) + log(1 + f), x = 2^k (1 + f), 1 + f in [2/3, 4/3), so that log(1 + f) is exact
// enough without a table and k = 0 around 1. The polynomial is our own
// (scripts/coefficients/log.sollya). 28 operators in f32 and 39 in f64, bitcasts aside.
#include "codegen/expand/coefficients/log.h"

#include <limits>

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

LogParts split_log(ScalarBuilder& b, Value x) {
  // Subnormal x is scaled up by 2^24 or 2^53, exactly, and k corrected by as much.
  const double scale = b.is_f32() ? 0x1p24 : 0x1p53;
  const double scale_exponent = b.is_f32() ? 24.0 : 53.0;
  const Value is_subnormal = b.lt(x, b.number(b.is_f32() ? 0x1p-126 : 0x1p-1022));
  const Value normal = b.select(is_subnormal, b.mul(x, b.number(scale)), x);

  // With (1.0 - 2/3) added as bit patterns, the exponent field steps where the significand passes
  // 4/3 instead of 2.
  const std::uint64_t one = b.exponent_bias() << b.significand_shift();
  const std::uint64_t two_thirds =
      b.is_f32() ? coefficients::kTwoThirdsF32 : coefficients::kTwoThirdsF64;
  const std::uint64_t significand_mask = (std::uint64_t{1} << b.significand_shift()) - 1;
  const Value moved = b.add(b.to_bits(normal), b.bits(one - two_thirds));
  const Value significand = b.add(b.bit_and(moved, b.bits(significand_mask)), b.bits(two_thirds));
  const Value f = b.sub(b.from_bits(significand), b.number(1.0));

  // The biased exponent becomes a float as the low bits of the rounder.
  const std::uint64_t rounder_bits =
      ((b.exponent_bias() + b.significand_shift()) << b.significand_shift()) |
      (std::uint64_t{1} << (b.significand_shift() - 1));
  const Value exponent = b.shift_right(moved, b.significand_shift());
  const Value biased = b.from_bits(b.bit_or(exponent, b.bits(rounder_bits)));
  const double bias = b.rounder() + static_cast<double>(b.exponent_bias());
  const Value k =
      b.sub(biased, b.select(is_subnormal, b.number(bias + scale_exponent), b.number(bias)));
  return {.k = k, .f = f};
}

Value join_log(ScalarBuilder& b, const LogParts& parts) {
  const auto [k, f] = parts;
  const Value tail = b.polynomial(coefficients::kLogF32, coefficients::kLogF64, f);
  const Value log1p = b.fma(b.mul(f, f), tail, f);
  return b.fma(k, b.number(coefficients::kLn2F32, coefficients::kLn2F64), log1p);
}

Value finish_log(ScalarBuilder& b, Value x, Value finite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // NaN fails every comparison and ends in the NaN of the last select.
  const Value zero = b.number(0.0);
  const Value infinity = b.number(kInfinity);
  const Value positive = b.select(b.eq(x, infinity), infinity, finite);
  const Value otherwise = b.select(b.eq(x, zero), b.number(-kInfinity), b.number(kNan));
  return b.select(b.lt(zero, x), positive, otherwise);
}

std::shared_ptr<const ir::Graph> make_log(ir::DType dtype) {
  ScalarBuilder b("log", dtype);
  const Value x = b.parameter("x");
  return b.finish(finish_log(b, x, join_log(b, split_log(b, x))));
}

}  // namespace sinter::codegen
