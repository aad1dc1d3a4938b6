// |x|^y = 2^(y log2|x|) with the logarithm and its product in pairs: the exponent may reach 2^7 (f64:
// 2^10), and its absolute error is the result's relative one. The polynomials are our own
// (scripts/coefficients/pow.sollya). 111 operators in f32 and 132 in f64, bitcasts aside.
#include "codegen/expand/coefficients/pow.h"

#include <limits>

#include "codegen/expand/functions.h"
#include "codegen/expand/pair.h"

namespace sinter::codegen {

using ir::Value;
namespace c = coefficients;

namespace {

/// s = f / (2 + f) within 2^-44 (f64: 2^-90), without a division.
Pair atanh_argument(ScalarBuilder& b, Value f) {
  const Pair d = add_exactly(b, b.number(2.0), f);
  const Value one = b.number(1.0);
  const Value minus_d = b.neg(d.high);
  Value r = b.polynomial(c::kReciprocalLine, d.high);
  for (int step = 0; step < (b.is_f32() ? 2 : 3); ++step) r = b.fma(b.fma(minus_d, r, one), r, r);

  const Value high = b.mul(f, r);
  const Value rest = b.fma(b.neg(high), d.low, b.fma(minus_d, high, f));
  return {.high = high, .low = b.mul(rest, r)};
}

/// log2(x) = k + s (C + z (C/3 + z (C/5 + ...))), z = s^2; f64 takes C/5 as a pair, too.
Pair log2_pair(ScalarBuilder& b, Value x) {
  const auto [k, f] = split_log(b, x);
  const Pair s = atanh_argument(b, f);
  const Pair z = multiply(b, s, s);
  const auto constant = [&](double high, double low) {
    return Pair{.high = b.number(high), .low = b.number(low)};
  };
  /// leading + rest, which is small.
  const auto add_small = [&](const Pair& leading, Value rest) {
    return add_exactly(b, leading.high, b.add(leading.low, rest));
  };

  Pair sum{};
  if (b.is_f32()) {
    const Value tail = b.mul(b.polynomial(c::kLog2TailF32, z.high), z.high);
    sum = add_small(constant(c::kLog2ThirdHighF32, c::kLog2ThirdLowF32), tail);
    sum = add(b, constant(c::kLog2FirstHighF32, c::kLog2FirstLowF32), multiply(b, z, sum));
  } else {
    const Value tail = b.mul(b.polynomial(c::kLog2TailF64, z.high), z.high);
    sum = add_small(constant(c::kLog2FifthHighF64, c::kLog2FifthLowF64), tail);
    sum = add(b, constant(c::kLog2ThirdHighF64, c::kLog2ThirdLowF64), multiply(b, z, sum));
    sum = add(b, constant(c::kLog2FirstHighF64, c::kLog2FirstLowF64), multiply(b, z, sum));
  }
  const Pair fraction = multiply(b, s, sum);
  const Pair whole = add_exactly(b, k, fraction.high);
  return {.high = whole.high, .low = b.add(whole.low, fraction.low)};
}

/// 2^e, 0 and inf included.
Value exp2_of_pair(ScalarBuilder& b, const Pair& e) {
  // Beyond the limit the result is inf or 0 as well, and the low part, which may be large, is none.
  const double limit = b.is_f32() ? 160.0 : 1100.0;
  const Value clamped = b.minimum(b.maximum(e.high, b.number(-limit)), b.number(limit));
  const Value low = b.select(b.eq(clamped, e.high), e.low, b.number(0.0));

  const Value rounder = b.number(b.rounder() + 2.0 * static_cast<double>(b.exponent_bias()));
  const Value shifted = b.add(clamped, rounder);
  const Value r = b.add(b.sub(clamped, b.sub(shifted, rounder)), low);
  const Value tail = b.polynomial(c::kPowExp2F32, c::kPowExp2F64, r);
  const Value significand = b.fma(tail, r, b.number(1.0));
  return scale_exp(b, {.significand = significand, .bits = b.to_bits(shifted)});
}

/// a^y for a >= 0 or NaN, but not yet 1 for a = 1 or y = 0.
Value positive_power(ScalarBuilder& b, Value a, Value y) {
  // From here on every a != 1 gives 0 or inf; products with the logarithm stay finite.
  const double limit = b.is_f32() ? 0x1p32 : 0x1p64;
  const Value exponent = b.minimum(b.maximum(y, b.number(-limit)), b.number(limit));
  const Pair log = log2_pair(b, a);
  const Pair product = multiply_exactly(b, exponent, log.high);
  const Pair scaled{.high = product.high, .low = b.fma(exponent, log.low, product.low)};
  const Value finite = exp2_of_pair(b, scaled);

  // 0 and inf stay where y > 0 and change places where y < 0.
  const std::uint64_t infinity_bits = b.is_f32() ? 0x7F800000 : 0x7FF0000000000000;
  const Value swapped = b.from_bits(b.sub(b.bits(infinity_bits), b.to_bits(a)));
  const Value limit_value = b.select(b.lt(y, b.number(0.0)), swapped, a);
  return b.select(b.eq(b.add(a, a), a), limit_value, finite);
}

}  // namespace

std::shared_ptr<const ir::Graph> make_pow(ir::DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ScalarBuilder b("pow", dtype);
  const Value x = b.parameter("x");
  const Value y = b.parameter("y");
  const Value zero = b.number(0.0);
  const Value one = b.number(1.0);

  const Value magnitude = positive_power(b, b.abs(x), y);

  // Odd y keep the sign of x; a finite x < 0 has no power with a fraction, and NaN none at all.
  const Value half = b.mul(y, b.number(0.5));
  const Value is_whole = b.eq(b.floor(y), y);
  const Value is_odd = b.bit_and(is_whole, b.ne(b.floor(half), half));
  const Value with_sign = b.select(is_odd, b.with_sign_of(x, magnitude), magnitude);
  const Value is_finite_negative = b.bit_and(b.lt(x, zero), b.lt(b.number(-kInfinity), x));
  const Value has_no_nan = b.bit_and(b.eq(x, x), b.eq(y, y));
  const Value is_number = b.select(is_finite_negative, is_whole, has_no_nan);
  const Value power =
      b.select(is_number, with_sign, b.number(std::numeric_limits<double>::quiet_NaN()));
  return b.finish(b.select(b.bit_or(b.eq(x, one), b.eq(y, zero)), one, power));
}

}  // namespace sinter::codegen
