// asin and acos by the same polynomial: asin(s) = s + s^3 P(s^2) for s <= 1/2 (our own:
// scripts/coefficients/asin.sollya). For |x| > 1/2, s = sqrt((1 - |x|) / 2), and
// asin(|x|) = pi/2 - 2 asin(s), acos(|x|) = 2 asin(s). pi/2 comes in two parts, and s and the rest of
// asin(s) are added to them apart, so that the large terms are rounded once.
#include "codegen/expand/coefficients/asin.h"

#include "codegen/expand/coefficients/half_pi.h"
#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

namespace c = coefficients;

/// s and s^3 P(s^2), both not negative, NaN for |x| > 1.
struct Arc {
  Value is_large;  // |x| > 1/2; else s is |x|
  Value s;
  Value rest;
};

Arc reduce_arc(ScalarBuilder& b, Value magnitude) {
  const Value half = b.number(0.5);
  const Value is_large = b.lt(half, magnitude);
  const Value outside = b.fma(magnitude, b.number(-0.5), half);
  const Value square = b.select(is_large, outside, b.mul(magnitude, magnitude));
  const Value s = b.select(is_large, b.sqrt(outside), magnitude);
  const Value tail = b.polynomial(c::kAsinF32, c::kAsinF64, square);
  return {.is_large = is_large, .s = s, .rest = b.mul(b.mul(s, square), tail)};
}

}  // namespace

std::shared_ptr<const ir::Graph> make_asin(ir::DType dtype) {
  ScalarBuilder b("asin", dtype);
  const Value x = b.parameter("x");
  const Arc arc = reduce_arc(b, b.abs(x));
  const Value minus_two = b.number(-2.0);
  const Value half_pi = b.number(c::kHalfPiHighF32, c::kHalfPiHighF64);
  const Value high = b.fma(arc.s, minus_two, half_pi);
  const Value lost = b.fma(arc.s, minus_two, b.sub(half_pi, high));  // by the rounding of `high`
  const Value low = b.fma(arc.rest, minus_two, b.number(c::kHalfPiLowF32, c::kHalfPiLowF64));
  const Value large = b.add(high, b.add(low, lost));
  return b.finish(b.with_sign_of(x, b.select(arc.is_large, large, b.add(arc.s, arc.rest))));
}

std::shared_ptr<const ir::Graph> make_acos(ir::DType dtype) {
  ScalarBuilder b("acos", dtype);
  const Value x = b.parameter("x");
  const Arc arc = reduce_arc(b, b.abs(x));

  // turns * pi/2 + factor * (s + rest): 1 and -1 with the sign of x, 0 and 2, or 2 and -2.
  const Value is_negative = b.lt(x, b.number(0.0));
  const Value zero = b.number(0.0);
  const Value two = b.number(2.0);
  const Value one = b.number(1.0);
  const Value turns = b.select(arc.is_large, b.select(is_negative, two, zero), one);
  const Value magnitude = b.select(arc.is_large, two, b.number(-1.0));
  const Value factor = b.select(is_negative, b.neg(magnitude), magnitude);
  const Value high =
      b.fma(turns, b.number(c::kHalfPiHighF32, c::kHalfPiHighF64), b.mul(factor, arc.s));
  const Value low =
      b.fma(turns, b.number(c::kHalfPiLowF32, c::kHalfPiLowF64), b.mul(factor, arc.rest));
  return b.finish(b.add(high, low));
}

}  // namespace sinter::codegen
