// erf(x) = x + x P(x^2) for |x| <= 1, else sign(x) (1 - exp(Q(|x|))): the exponential's error counts
// little there, so that a polynomial near log(erfc) is exact enough
// (scripts/coefficients/erf.sollya). 35 operators in f32 and 55 in f64, bitcasts aside.
#include "codegen/expand/coefficients/erf.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

/// 1 - exp(Q(y)) for 1 <= y.
Value erf_of_large(ScalarBuilder& b, Value y) {
  // Beyond these the result rounds to 1 as well.
  const Value clamped = b.minimum(y, b.number(4.0, 6.0));
  const Value log = b.polynomial(coefficients::kLogErfcF32, coefficients::kLogErfcF64, clamped);
  const ExpParts parts = split_exp(b, log, static_cast<double>(b.exponent_bias()), false);
  const Value scale = b.from_bits(b.shift_left(parts.bits, b.significand_shift()));
  return b.fma(b.neg(parts.significand), scale, b.number(1.0));
}

}  // namespace

std::shared_ptr<const ir::Graph> make_erf(ir::DType dtype) {
  ScalarBuilder b("erf", dtype);
  const Value x = b.parameter("x");
  const Value y = b.abs(x);

  const Value tail = b.polynomial(coefficients::kErfF32, coefficients::kErfF64, b.mul(x, x));
  const Value small = b.fma(y, tail, y);

  const Value is_small = b.lt(y, b.number(1.0));
  return b.finish(b.with_sign_of(x, b.select(is_small, small, erf_of_large(b, y))));
}

}  // namespace sinter::codegen
