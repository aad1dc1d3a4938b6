// digamma and erfinv, which the C library lacks, in long double.
#include "reference/special.h"

namespace sinter::reference {

namespace {

constexpr Wide kPi = 3.14159265358979323846264338327950288L;

/// pi cot(pi x), with x reduced by whole numbers first, which is exact.
Wide pi_cotangent(Wide x) {
  const Wide r = x - std::nearbyint(x);
  return kPi * std::cos(kPi * r) / std::sin(kPi * r);
}

/// The asymptotic series for x >= 20 (M. Abramowitz and I. A. Stegun, Handbook of Mathematical
/// Functions, 6.3.18): the first term left out is below 2^-80.
Wide digamma_of_large(Wide x) {
  constexpr Wide kTerms[] = {-1.0L / 12,        1.0L / 120,      -1.0L / 252, 1.0L / 240,
                             -1.0L / 132,       691.0L / 32760,  -1.0L / 12,  3617.0L / 8160,
                             -43867.0L / 14364, 174611.0L / 6600};
  const Wide s = 1 / (x * x);
  Wide sum = 0;
  for (std::size_t i = std::size(kTerms); i-- > 0;) sum = (sum + kTerms[i]) * s;
  return std::log(x) - 1 / (2 * x) + sum;
}

}  // namespace

Wide digamma(Wide x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  if (x == -kInfinity) return kNan;
  if (x < 0) {
    if (std::floor(x) == x) return kNan;
    return digamma(1 - x) - pi_cotangent(x);  // 6.3.7
  }
  // The recurrence 6.3.5 up to where the series holds. Around the root the terms cancel: what is left
  // is then exact to 2^-62 beside 1, not beside itself.
  Wide recurrence = 0;
  for (; x < 20; x += 1) recurrence += 1 / x;
  return digamma_of_large(x) - recurrence;
}

Wide erfinv(Wide x) {
  if (std::isnan(x) || std::abs(x) > 1) return kNan;
  if (std::abs(x) == 1) return std::copysign(kInfinity, x);
  if (x == 0) return x;
  const Wide a = std::abs(x);
  // Newton's method on log(erfc(y)) = log(1 - a), which is concave, so that it converges from every
  // start; for small a on erf(y) = a, whose relative accuracy it keeps.
  const bool is_small = a < 0.5L;
  const Wide half_root_pi = std::sqrt(kPi) / 2;
  Wide y = is_small ? a * half_root_pi : std::sqrt(-std::log((1 - a) * (1 + a)));
  for (int step = 0; step < 12; ++step) {
    const Wide inverse_slope = half_root_pi * std::exp(y * y);
    if (is_small) {
      y -= (std::erf(y) - a) * inverse_slope;
    } else {
      const Wide complement = std::erfc(y);
      y += std::log(complement / (1 - a)) * complement * inverse_slope;
    }
  }
  return std::copysign(y, x);
}

}  // namespace sinter::reference
