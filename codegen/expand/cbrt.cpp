// cbrt(x) = x r^2 with r = |x|^(-1/3) from integer arithmetic and refinement, and one Newton step at
// the end, whose residual is computed in pairs. 32 operators in f32 and 37 in f64, bitcasts aside.
#include "codegen/expand/coefficients/cbrt.h"

#include "codegen/expand/functions.h"
#include "codegen/expand/pair.h"

namespace sinter::codegen {

using ir::Value;

namespace {

/// x^(-1/3) within 2^-18 (f64: 2^-37), for normal x.
Value inverse_cube_root(ScalarBuilder& b, Value x) {
  const std::uint64_t guess = b.is_f32() ? coefficients::kCubeRootF32 : coefficients::kCubeRootF64;
  const Value one = b.number(1.0);
  const Value minus_x = b.neg(x);
  // x r first: r^3 alone may underflow.
  const auto residual = [&](Value r) { return b.fma(b.mul(minus_x, r), b.mul(r, r), one); };

  Value r = b.from_bits(b.sub(b.bits(guess), b.floor_div(b.to_bits(x), 3)));
  const Value h = residual(r);
  r = b.fma(b.mul(r, h), b.polynomial(coefficients::kCubeRoot, h), r);
  if (b.is_f32()) return r;
  return b.fma(b.mul(r, residual(r)), b.number(coefficients::kThirdF64), r);
}

}  // namespace

std::shared_ptr<const ir::Graph> make_cbrt(ir::DType dtype) {
  ScalarBuilder b("cbrt", dtype);
  const Value x = b.parameter("x");

  // Subnormal x is scaled up by a cube, exactly.
  const Value magnitude = b.abs(x);
  const Value is_subnormal = b.lt(magnitude, b.number(b.is_f32() ? 0x1p-126 : 0x1p-1022));
  const Value scaled = b.mul(magnitude, b.number(b.is_f32() ? 0x1p24 : 0x1p54));
  const Value normal = b.select(is_subnormal, scaled, magnitude);

  const Value r = inverse_cube_root(b, normal);
  const Value y = b.mul(b.mul(normal, r), r);
  // y + (x - y^3) / (3 y^2), where 1 / y^2 = r^2.
  const Pair square = multiply_exactly(b, y, y);
  const Value minus_y = b.neg(y);
  const Value rest = b.fma(minus_y, square.low, b.fma(minus_y, square.high, normal));
  const Value third = b.number(b.is_f32() ? coefficients::kThirdF32 : coefficients::kThirdF64);
  const Value root = b.fma(rest, b.mul(b.mul(r, r), third), y);

  const Value unscale = b.number(b.is_f32() ? 0x1p-8 : 0x1p-18);
  const Value unscaled = b.select(is_subnormal, b.mul(root, unscale), root);
  // Zeros and infinities give themselves.
  const Value is_own_root = b.eq(b.add(x, x), x);
  return b.finish(b.select(is_own_root, x, b.with_sign_of(x, unscaled)));
}

}  // namespace sinter::codegen
