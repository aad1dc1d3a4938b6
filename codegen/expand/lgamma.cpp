// log|Gamma(x)| for x >= 1/2 by polynomials with the zeros at 1 and 2 taken out, and from 7/2 on by
// Stirling's formula; for smaller x by the recurrence, lgamma(1 + x) - log(x), or the reflection,
// log(pi / |sin(pi x)|) - lgamma(1 - x) (M. Abramowitz and I. A. Stegun, Handbook of Mathematical
// Functions, 6.1.17 and 6.1.41). The polynomials are our own (scripts/coefficients/lgamma.sollya).
// 122 operators in f32 and 182 in f64, bitcasts aside.
#include "codegen/expand/coefficients/lgamma.h"

#include <limits>
#include <span>

#include "codegen/expand/coefficients/log.h"
#include "codegen/expand/functions.h"
#include "codegen/expand/pair.h"

namespace sinter::codegen {

using ir::Value;
namespace c = coefficients;

namespace {

/// (x - 1/2) (log(x) - 1) + (log(2 pi) - 1) / 2 + R(1 / x^2) / x for x >= 7/2.
Value stirling(ScalarBuilder& b, Value x) {
  const auto [k, f] = split_log(b, x);
  const Value tail = b.mul(b.mul(f, f), b.polynomial(c::kLogF32, c::kLogF64, f));
  // log(x) - 1: k is at least 2, so that the product is exact and the larger part.
  const Value whole =
      b.fma(k, b.number(c::kLgammaLn2HighF32, c::kLgammaLn2HighF64), b.number(-1.0));
  const Pair sum = add_exactly(b, whole, f);
  const Value rest = b.fma(k, b.number(c::kLgammaLn2LowF32, c::kLgammaLn2LowF64), tail);
  const Value low = b.add(sum.low, rest);

  const Value r = b.div(b.number(1.0), x);
  const Value series = b.polynomial(c::kStirlingRestF32, c::kStirlingRestF64, b.mul(r, r));
  const Value factor = b.sub(x, b.number(0.5));
  const Value small = b.fma(series, r, b.number(c::kStirlingF32, c::kStirlingF64));
  return b.fma(factor, sum.high, b.fma(factor, low, small));
}

/// lgamma(1 + u) for u >= -1/2; x = 1 + u, rounded. +0.0 at 1 and 2.
Value lgamma_of_shifted(ScalarBuilder& b, Value u, Value x) {
  const std::span<const double> one32 = c::kLgammaOneF32, one64 = c::kLgammaOneF64;
  const std::span<const double> two32 = c::kLgammaTwoF32, two64 = c::kLgammaTwoF64;
  const Value is_first = b.lt(u, b.number(0.5));
  const Value v = b.sub(u, b.number(1.0));
  const Value centred = b.sub(u, b.number(1.5));
  const Value rest = b.select(is_first, b.polynomial(one32.subspan(1), one64.subspan(1), u),
                              b.polynomial(two32.subspan(1), two64.subspan(1), centred));
  const Value leading =
      b.select(is_first, b.number(one32[0], one64[0]), b.number(two32[0], two64[0]));
  const Value argument = b.select(is_first, u, centred);
  const Value factor = b.select(is_first, u, v);
  // factor (leading + argument rest): around 3/2 the sum is small beside its terms, so that their roundings
  // would count double there. They are put back.
  const Pair product = multiply_exactly(b, argument, rest);
  const Pair sum = add_exactly(b, leading, product.high);
  const Value low = b.add(sum.low, product.low);
  const Value below_seven_halves = b.fma(factor, sum.high, b.mul(factor, low));
  return b.select(b.lt(u, b.number(2.5)), below_seven_halves, stirling(b, x));
}

}  // namespace

std::shared_ptr<const ir::Graph> make_lgamma(ir::DType dtype) {
  ScalarBuilder b("lgamma", dtype);
  const Value x = b.parameter("x");
  const Value one = b.number(1.0);
  const Value zero = b.number(0.0);
  const Value magnitude = b.abs(x);

  const Value is_below = b.lt(x, b.number(0.5));
  const Value u = b.select(is_below, magnitude, b.sub(x, one));
  const Value shifted = b.select(is_below, b.add(magnitude, one), x);
  const Value gamma = lgamma_of_shifted(b, u, shifted);

  // log(q): q = x for 0 < x < 1/2, |sin(pi x)| / pi for x < 0.
  const Value is_negative = b.lt(x, zero);
  const Value r = b.abs(b.sub(x, b.round(x)));
  const Value square = b.mul(r, r);
  const Value sine = b.fma(b.mul(square, b.polynomial(c::kSinPiF32, c::kSinPiF64, square)), r, r);
  const Value q = b.select(is_negative, sine, magnitude);
  const Value log = join_log(b, split_log(b, q));
  const Value below = b.sub(b.select(is_negative, b.neg(gamma), gamma), log);

  const Value infinity = b.number(std::numeric_limits<double>::infinity());
  const Value is_infinite = b.bit_or(b.eq(q, zero), b.eq(magnitude, infinity));
  return b.finish(b.select(is_below, b.select(is_infinite, infinity, below), gamma));
}

}  // namespace sinter::codegen
