// erfc(x) = exp(-x^2) P(t) / (1 + 2x), t = (x - K) / (x + K), for x >= 0, and 2 - erfc(-x) below; what
// roundings of x^2 and of the quotient lose is put back at the end. The polynomial is our own
// (scripts/coefficients/erfc.sollya). 70 operators in f32 and 89 in f64, bitcasts aside.
#include "codegen/expand/coefficients/erfc.h"

#include "codegen/expand/coefficients/exp.h"
#include "codegen/expand/functions.h"
#include "codegen/expand/pair.h"

namespace sinter::codegen {

using ir::Value;
namespace c = coefficients;

namespace {

/// exp(y^2) erfc(y), 0 <= y.
Pair scaled_erfc(ScalarBuilder& b, Value y) {
  const Value centre = b.number(c::kErfcCentreF32, c::kErfcCentreF64);
  const Value one = b.number(1.0);
  const Value two = b.number(2.0);
  const Value sum = b.add(y, centre);
  const Value high = b.fma(two, y, one);  // of 1 + 2y
  const Value low = b.fma(two, y, b.sub(one, high));
  const Value r = b.div(one, b.mul(sum, high));

  // t and then what is left: (y - K) - t (y + K) = (y - K (1 + t)) - t y.
  const Value r_sum = b.mul(high, r);
  const Value guess = b.mul(b.sub(y, centre), r_sum);
  const Value rest = b.fma(b.neg(y), guess, b.fma(b.neg(centre), b.add(guess, one), y));
  const Value t = b.fma(rest, r_sum, guess);

  // P = p + p_low, P / (1 + 2y) = quotient + lost r_high.
  const Value leading = b.number(c::kErfcHighF32, c::kErfcHighF64);
  const Value others = b.polynomial(c::kErfcF32, c::kErfcF64, t);
  const Value p = b.fma(t, others, leading);
  const Value p_low =
      b.add(b.fma(t, others, b.sub(leading, p)), b.number(c::kErfcLowF32, c::kErfcLowF64));
  const Value r_high = b.mul(sum, r);
  const Value quotient = b.mul(p, r_high);
  const Value minus = b.neg(quotient);
  const Value lost = b.add(b.fma(minus, low, b.fma(minus, high, p)), p_low);
  return {.high = quotient, .low = b.mul(lost, r_high)};
}

}  // namespace

std::shared_ptr<const ir::Graph> make_erfc(ir::DType dtype) {
  ScalarBuilder b("erfc", dtype);
  const Value x = b.parameter("x");
  const Value y = b.minimum(b.abs(x), b.number(c::kErfcLastF32, c::kErfcLastF64));
  const Pair scaled = scaled_erfc(b, y);

  // exp(-y^2) = 2^n (1 + r + tail), with what the rounding of y^2 lost.
  const Value minus_square = b.neg(b.mul(y, y));
  const Value lost = b.neg(b.fma(y, y, minus_square));
  const ExpArgument argument =
      reduce_exp(b, minus_square, 2.0 * static_cast<double>(b.exponent_bias()));
  const Pair r = add_exactly(b, argument.high, b.add(argument.low, lost));
  const Value square = b.mul(r.high, r.high);
  const Value tail = b.fma(square, b.polynomial(c::kExpF32, c::kExpF64, r.high), r.low);

  // tail is small beside r.high, so that only the last two roundings count.
  const Value small = b.fma(scaled.high, tail, scaled.low);
  const Value significand = b.add(scaled.high, b.fma(scaled.high, r.high, small));
  const Value positive = scale_exp(b, {.significand = significand, .bits = argument.bits});
  // Where it rounds to 1, no error of the quotient may show.
  const Value is_tiny = b.lt(y, b.number(0x1p-26, 0x1p-55));
  const Value above = b.select(is_tiny, b.number(1.0), positive);
  const Value negative = b.sub(b.number(2.0), above);
  return b.finish(b.select(b.lt(x, b.number(0.0)), negative, above));
}

}  // namespace sinter::codegen
