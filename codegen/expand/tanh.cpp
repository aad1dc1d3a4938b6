// tanh(x) = x + x^3 P(x^2) for |x| < 5/8, else sign(x) (1 - 2 / (exp(2|x|) + 1)). The quotient comes
// from integer subtraction and refinement, as no division is cheap on a GPU; the polynomial is our
// own (scripts/coefficients/tanh.sollya). 33 operators in f32 and 47 in f64, bitcasts aside.
#include "codegen/expand/coefficients/tanh.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

/// 1/d for a positive normal d of moderate size. Each step r + r (e + e^2) with e = 1 - d r cubes
/// the relative error, each r + r e squares it: 2^-4.3, 2^-12.9, then 2^-25.8 (f32) or 2^-38,
/// 2^-77 (f64). It is suppressed further by the subtraction from 1.
Value reciprocal(ScalarBuilder& b, Value d) {
  const std::uint64_t guess =
      b.is_f32() ? coefficients::kReciprocalF32 : coefficients::kReciprocalF64;
  const Value one = b.number(1.0);
  const Value minus_d = b.neg(d);
  const auto residual = [&](Value r) { return b.fma(minus_d, r, one); };

  Value r = b.from_bits(b.sub(b.bits(guess), b.to_bits(d)));
  for (int step = 0; step < (b.is_f32() ? 1 : 2); ++step) {
    const Value e = residual(r);
    r = b.fma(r, b.fma(e, e, e), r);
  }
  return b.fma(r, residual(r), r);
}

/// 1 - 2 / (exp(2y) + 1) for 5/8 <= y.
Value tanh_of_large(ScalarBuilder& b, Value y) {
  // Beyond these the result rounds to 1 as well.
  const Value clamped = b.minimum(y, b.number(b.is_f32() ? 9.25 : 20.0));
  const ExpParts parts =
      split_exp(b, b.add(clamped, clamped), static_cast<double>(b.exponent_bias()), false);
  const Value scale = b.from_bits(b.shift_left(parts.bits, b.significand_shift()));
  const Value denominator = b.fma(parts.significand, scale, b.number(1.0));
  return b.fma(reciprocal(b, denominator), b.number(-2.0), b.number(1.0));
}

}  // namespace

std::shared_ptr<const ir::Graph> make_tanh(ir::DType dtype) {
  ScalarBuilder b("tanh", dtype);
  const Value x = b.parameter("x");
  const Value y = b.abs(x);

  const Value square = b.mul(x, x);
  const Value tail = b.polynomial(coefficients::kTanhF32, coefficients::kTanhF64, square);
  const Value small = b.fma(b.mul(square, tail), y, y);

  const Value is_small = b.lt(y, b.number(coefficients::kTanhSplit));
  const Value magnitude = b.select(is_small, small, tanh_of_large(b, y));
  return b.finish(b.with_sign_of(x, magnitude));
}

}  // namespace sinter::codegen
