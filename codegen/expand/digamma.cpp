// The derivative of log(Gamma(x)): on [1, 2] by a polynomial with the zero taken out, beyond by the
// asymptotic series; below 1 by the recurrence, digamma(1 + x) - 1/x, or the reflection,
// digamma(1 - x) - pi cot(pi x) (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions,
// 6.3.5, 6.3.7 and 6.3.18). The polynomials are our own (scripts/coefficients/digamma.sollya). 74
// operators in f32 and 119 in f64, bitcasts aside.
#include "codegen/expand/coefficients/digamma.h"

#include <limits>

#include "codegen/expand/coefficients/log.h"
#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;
namespace c = coefficients;

namespace {

/// log(x) - 1/(2x) + R(1 / x^2) / x^2 for x >= 2.
Value asymptotic_series(ScalarBuilder& b, Value x) {
  const auto [k, f] = split_log(b, x);
  const Value r = b.div(b.number(1.0), x);
  const Value square = b.mul(r, r);
  const Value rest = b.mul(square, b.polynomial(c::kDigammaRestF32, c::kDigammaRestF64, square));
  const Value small = b.fma(r, b.number(-0.5), rest);
  const Value tail = b.polynomial(c::kLogF32, c::kLogF64, f);
  const Value log1p = b.add(b.fma(b.mul(f, f), tail, small), f);
  return b.fma(k, b.number(c::kLn2F32, c::kLn2F64), log1p);
}

/// digamma(1 + u) for u >= 0; x = 1 + u, rounded.
Value digamma_of_shifted(ScalarBuilder& b, Value u, Value x) {
  const Value distance = b.sub(b.sub(u, b.number(c::kDigammaRootHighF32, c::kDigammaRootHighF64)),
                               b.number(c::kDigammaRootLowF32, c::kDigammaRootLowF64));
  const Value centred = b.sub(u, b.number(0.5));
  const Value near = b.mul(distance, b.polynomial(c::kDigammaF32, c::kDigammaF64, centred));
  return b.select(b.lt(u, b.number(1.0)), near, asymptotic_series(b, x));
}

}  // namespace

std::shared_ptr<const ir::Graph> make_digamma(ir::DType dtype) {
  ScalarBuilder b("digamma", dtype);
  const Value x = b.parameter("x");
  const Value one = b.number(1.0);
  const Value magnitude = b.abs(x);

  const Value is_below = b.lt(x, one);
  const Value u = b.select(is_below, magnitude, b.sub(x, one));
  const Value shifted = b.select(is_below, b.add(magnitude, one), x);
  const Value base = digamma_of_shifted(b, u, shifted);

  // 1/x for 0 <= x < 1, pi cot(pi x) for x < 0.
  const Value is_negative = b.lt(x, b.number(0.0));
  const Value r = b.sub(x, b.round(x));
  const Value square = b.mul(r, r);
  const Value cotangent = b.fma(square, b.polynomial(c::kCotPiF32, c::kCotPiF64, square), one);
  const Value numerator = b.select(is_negative, cotangent, one);
  const Value denominator = b.select(is_negative, r, x);
  const Value below = b.sub(base, b.div(numerator, denominator));

  const Value is_pole = b.bit_and(is_negative, b.eq(r, b.number(0.0)));
  const Value nan = b.number(std::numeric_limits<double>::quiet_NaN());
  const Value finite = b.select(is_below, b.select(is_pole, nan, below), base);
  const Value infinity = b.number(std::numeric_limits<double>::infinity());
  return b.finish(b.select(b.eq(x, infinity), infinity, finite));
}

}  // namespace sinter::codegen
