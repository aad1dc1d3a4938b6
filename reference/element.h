// One evaluated element: its exact value, and how far a legal computation may stray from it.
//
// Floats are held in `long double` whatever their dtype. On x86-64 it has 64 significand bits, 11
// more than f64 and 40 more than f32, at the cost of one x87 instruction; elsewhere it is wider
// still. double-double would give f64 graphs more, but its sums and functions are our own code,
// and a reference should lean on code that others have proved. What it loses, 2^-64 a step, is
// covered by kWideSlack.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "ir/dtype.h"

namespace sinter::reference {

using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64, "the reference needs 64 significand bits");

inline constexpr Wide kInfinity = std::numeric_limits<Wide>::infinity();
inline constexpr Wide kNan = std::numeric_limits<Wide>::quiet_NaN();

/// Factor on every error term, for the rounding of the reference itself and of the bounds, which
/// are kept in f64: 2^-64 is at most 2^-11 of the smallest unit roundoff that is checked (f64's).
inline constexpr Wide kWideSlack = 1.0L + 0x1p-9L;

/// Floats use `real`, integers and bool use `bits` (wrapped to the dtype's width, then sign- or
/// zero-extended). |computed - real| <= bound for every legal computation in the default mode.
/// A bound of infinity means undecided: legal computations may differ without limit (the operand
/// of a comparison lies too near its threshold, a value too near overflow). NaN and infinities
/// with bound 0 are certain; a finite value with a finite bound is certainly finite.
struct Element {
  Wide real = 0;
  std::uint64_t bits = 0;
  double bound = 0;

  bool is_undecided() const { return std::isinf(bound); }
  bool is_exact() const { return bound == 0; }
  bool is_certain_nan() const { return std::isnan(real) && !is_undecided(); }
};

inline Element make_real(Wide value, double bound = 0) { return {value, 0, bound}; }
inline Element make_bits(std::uint64_t bits) { return {0, bits, 0}; }
/// The same value, undecided.
inline Element make_undecided(Element element) {
  element.bound = std::numeric_limits<double>::infinity();
  return element;
}

}  // namespace sinter::reference
