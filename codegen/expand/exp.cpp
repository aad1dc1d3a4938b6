// exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln(2) / 2. Reduction after W. J. Cody and W.
// Waite, Software Manual for the Elementary Functions (1980), with fma; the polynomial is our own
// (scripts/coefficients/exp.sollya). 18 operators in f32 and 23 in f64, bitcasts aside.
#include "codegen/expand/coefficients/exp.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

ExpParts split_exp(ScalarBuilder& b, Value x, double offset, bool exact_reduction) {
  namespace c = coefficients;
  const Value log2_e = b.number(c::kLog2EF32, c::kLog2EF64);
  const Value minus_ln2_high = b.number(-c::kLn2HighF32, -c::kLn2HighF64);
  const Value rounder = b.number(b.rounder() + offset);

  const Value shifted = b.fma(x, log2_e, rounder);
  const Value n = b.sub(shifted, rounder);
  Value r = b.fma(n, minus_ln2_high, x);
  if (exact_reduction) r = b.fma(n, b.number(-c::kLn2LowF32, -c::kLn2LowF64), r);

  const Value one = b.number(1.0);
  const Value tail = b.polynomial(c::kExpF32, c::kExpF64, r);
  const Value significand = b.fma(b.fma(tail, r, one), r, one);
  return {.significand = significand, .bits = b.to_bits(shifted)};
}

ExpArgument reduce_exp(ScalarBuilder& b, Value x, double offset) {
  namespace c = coefficients;
  const Value rounder = b.number(b.rounder() + offset);
  const Value shifted = b.fma(x, b.number(c::kLog2EF32, c::kLog2EF64), rounder);
  const Value n = b.sub(shifted, rounder);
  const Value high = b.fma(n, b.number(-c::kLn2HighF32, -c::kLn2HighF64), x);
  const Value low = b.mul(n, b.number(-c::kLn2LowF32, -c::kLn2LowF64));
  return {.n = n, .bits = b.to_bits(shifted), .high = high, .low = low, .r = b.add(high, low)};
}

Value scale_exp(ScalarBuilder& b, const ExpParts& parts) {
  // 2^n as two factors, both normal: the first product is exact, so that the second rounds once,
  // also where the result is subnormal or overflows. With twice the bias in it, each half of n is a
  // biased exponent.
  const Value first = b.shift_right(parts.bits, 1);
  const Value second = b.sub(parts.bits, first);
  const auto scale = [&](Value exponent) {
    return b.from_bits(b.shift_left(exponent, b.significand_shift()));
  };
  return b.mul(b.mul(parts.significand, scale(first)), scale(second));
}

std::shared_ptr<const ir::Graph> make_exp(ir::DType dtype) {
  ScalarBuilder b("exp", dtype);
  const Value x = b.parameter("x");

  // Beyond these the result is inf or 0 as well; they keep n within what two factors can scale.
  const Value clamped = b.minimum(b.maximum(x, b.number(-104.0, -746.0)), b.number(89.0, 710.0));
  const double twice_bias = 2.0 * static_cast<double>(b.exponent_bias());
  return b.finish(scale_exp(b, split_exp(b, clamped, twice_bias, true)));
}

}  // namespace sinter::codegen
