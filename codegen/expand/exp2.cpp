// 2^x = 2^n 2^r, n = round(x), |r| <= 1/2, both exact: whole x give exact powers. The polynomial is
// our own (scripts/coefficients/exp2.sollya).
#include "codegen/expand/coefficients/exp2.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

std::shared_ptr<const ir::Graph> make_exp2(ir::DType dtype) {
  ScalarBuilder b("exp2", dtype);
  const Value x = b.parameter("x");

  // Beyond these the result is inf or 0 as well.
  const Value clamped = b.minimum(b.maximum(x, b.number(-151.0, -1076.0)), b.number(128.0, 1024.0));
  const Value rounder = b.number(b.rounder() + 2.0 * static_cast<double>(b.exponent_bias()));
  const Value shifted = b.add(clamped, rounder);
  const Value r = b.sub(clamped, b.sub(shifted, rounder));
  const Value tail = b.polynomial(coefficients::kExp2F32, coefficients::kExp2F64, r);
  const Value significand = b.fma(tail, r, b.number(1.0));
  return b.finish(scale_exp(b, {.significand = significand, .bits = b.to_bits(shifted)}));
}

}  // namespace sinter::codegen
