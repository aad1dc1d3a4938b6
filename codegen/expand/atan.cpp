// atan(t) = t + t^3 P(t^2) on [0, 1] (our own: scripts/coefficients/atan.sollya); for larger arguments
// t is their inverse and the result pi/2 - atan(t), with pi/2 in two parts. atan2 divides the smaller
// by the larger and adds up to two quarter turns.
#include "codegen/expand/coefficients/atan.h"

#include "codegen/expand/coefficients/half_pi.h"
#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

namespace c = coefficients;

/// atan(t) - t.
Value atan_rest(ScalarBuilder& b, Value t) {
  const Value square = b.mul(t, t);
  return b.mul(b.mul(t, square), b.polynomial(c::kAtanF32, c::kAtanF64, square));
}

}  // namespace

std::shared_ptr<const ir::Graph> make_atan(ir::DType dtype) {
  ScalarBuilder b("atan", dtype);
  const Value x = b.parameter("x");
  const Value magnitude = b.abs(x);
  const Value one = b.number(1.0);
  const Value is_large = b.lt(one, magnitude);
  const Value t = b.select(is_large, b.div(one, magnitude), magnitude);
  const Value rest = atan_rest(b, t);
  const Value large = b.add(b.sub(b.number(c::kHalfPiHighF32, c::kHalfPiHighF64), t),
                            b.sub(b.number(c::kHalfPiLowF32, c::kHalfPiLowF64), rest));
  return b.finish(b.with_sign_of(x, b.select(is_large, large, b.add(t, rest))));
}

std::shared_ptr<const ir::Graph> make_atan2(ir::DType dtype) {
  ScalarBuilder b("atan2", dtype);
  const Value y = b.parameter("y");
  const Value x = b.parameter("x");
  const Value zero = b.number(0.0);
  const Value one = b.number(1.0);
  const Value high = b.abs(y);
  const Value wide = b.abs(x);

  // Zero by zero and infinity by infinity have no quotient, but an angle.
  const Value is_steep = b.lt(wide, high);
  const Value smaller = b.select(is_steep, wide, high);
  const Value larger = b.select(is_steep, high, wide);
  const Value equal = b.select(b.eq(larger, zero), zero, one);
  const Value t = b.select(b.eq(smaller, larger), equal, b.div(smaller, larger));
  const Value rest = atan_rest(b, t);

  // turns * pi/2 + factor * (t + rest); the sign of -0.0 counts.
  const Value is_left = b.lt(b.bits(b.sign_bit() - 1), b.to_bits(x));
  const Value turns = b.select(is_steep, one, b.select(is_left, b.number(2.0), zero));
  const Value factor = b.select(b.bit_xor(is_steep, is_left), b.number(-1.0), one);
  const Value large =
      b.fma(turns, b.number(c::kHalfPiHighF32, c::kHalfPiHighF64), b.mul(factor, t));
  const Value small =
      b.fma(turns, b.number(c::kHalfPiLowF32, c::kHalfPiLowF64), b.mul(factor, rest));
  return b.finish(b.with_sign_of(y, b.add(large, small)));
}

}  // namespace sinter::codegen
