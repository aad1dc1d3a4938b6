// sin, cos and tan of r, |r| <= pi/4, by polynomials (our own: scripts/coefficients/trigonometric.sollya),
// chosen and signed by the quadrant of the angle (reduce_angle.cpp).
#include "codegen/expand/coefficients/trigonometric.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

namespace c = coefficients;

/// r + r^3 P(r^2).
Value sin_of(ScalarBuilder& b, Value r, Value square) {
  return b.fma(b.mul(r, square), b.polynomial(c::kSinF32, c::kSinF64, square), r);
}

/// 1 + r^2 P(r^2).
Value cos_of(ScalarBuilder& b, Value square) {
  return b.fma(square, b.polynomial(c::kCosF32, c::kCosF64, square), b.number(1.0));
}

/// r + rest + r^3 P(r^2): near pi/4 the tangent grows by twice the rest, nearly as much as is added.
Value tan_of(ScalarBuilder& b, Value r, Value rest) {
  const Value square = b.mul(r, r);
  const Value tail = b.polynomial(c::kTanF32, c::kTanF64, square);
  return b.add(r, b.fma(b.mul(r, square), tail, b.fma(rest, square, rest)));
}

/// -value where the bit of the sign in `flip` is set.
Value flip_sign(ScalarBuilder& b, Value value, Value flip) {
  return b.from_bits(b.bit_xor(b.to_bits(value), flip));
}

Value sign_of(ScalarBuilder& b, Value x) { return b.bit_and(b.to_bits(x), b.bits(b.sign_bit())); }

/// sin(|x| + offset pi/2).
Value wave_of(ScalarBuilder& b, Value x, int offset) {
  const ReducedAngle angle = reduce_angle(b, b.abs(x), offset);
  const Value square = b.mul(angle.r, angle.r);
  const Value value = b.select(angle.is_even, sin_of(b, angle.r, square), cos_of(b, square));
  return flip_sign(b, value, angle.flip);
}

}  // namespace

std::shared_ptr<const ir::Graph> make_sin(ir::DType dtype) {
  ScalarBuilder b("sin", dtype);
  const Value x = b.parameter("x");
  return b.finish(flip_sign(b, wave_of(b, x, 0), sign_of(b, x)));
}

std::shared_ptr<const ir::Graph> make_cos(ir::DType dtype) {
  ScalarBuilder b("cos", dtype);
  return b.finish(wave_of(b, b.parameter("x"), 1));
}

std::shared_ptr<const ir::Graph> make_tan(ir::DType dtype) {
  ScalarBuilder b("tan", dtype);
  const Value x = b.parameter("x");
  Value rest;
  const ReducedAngle angle = reduce_angle(b, b.abs(x), 0, &rest);
  const Value tan = tan_of(b, angle.r, rest);
  // tan(r + pi/2) = -1 / tan(r).
  const Value numerator = b.select(angle.is_even, tan, b.number(-1.0));
  const Value denominator = b.select(angle.is_even, b.number(1.0), tan);
  return b.finish(flip_sign(b, b.div(numerator, denominator), sign_of(b, x)));
}

}  // namespace sinter::codegen
