// Angles modulo pi/2, for every finite argument, after M. H. Payne and R. N. Hanek, Radian reduction
// for trigonometric functions (1983): of 2/pi only the bits count whose product with x is neither a
// multiple of 4 nor below what the result can show. There is no table to index, so those bits are
// chosen by selects. The constants come from scripts/coefficients/trigonometric.sollya.
//
// f32 computes in f64. x has 24 bits and 2/pi is given as c1 + c2 of 53 bits each. |x c1| is kept below
// 2^45: it is then within 2^-7 of x (c1 + c2), which decides the whole number, and the product is exact
// to 2^-60, where the f32 nearest to a multiple of pi/2 is 2^-30 off. From 2^43 on, bits of 2/pi that
// give multiples of 4 are left out; five pairs of constants serve all of f32.
//
// f64 computes x 2/pi modulo 4 in integers: 64 bits before and about 60 after them in a float, as the
// f64 nearest to a multiple of pi/2 is 2^-61 off. The product is that of x's 53 bits with a window of
// 181 bits out of 1200, chosen by a barrel shifter of 64-bit words.
#include <vector>

#include "codegen/expand/coefficients/half_pi.h"
#include "codegen/expand/coefficients/trigonometric.h"
#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::DType;
using ir::Value;

namespace c = coefficients;

namespace {

ReducedAngle reduce_f32(ScalarBuilder& b, Value x, int offset, Value* rest_of_r) {
  Value first = b.number(DType::F64, c::kTwoOverPi[0]);
  Value second = b.number(DType::F64, c::kTwoOverPi[1]);
  for (std::size_t range = 1; range < std::size(c::kTwoOverPiFrom); ++range) {
    const Value is_above = b.lt(b.number(c::kTwoOverPiFrom[range]), x);
    first = b.select(is_above, b.number(DType::F64, c::kTwoOverPi[2 * range]), first);
    second = b.select(is_above, b.number(DType::F64, c::kTwoOverPi[2 * range + 1]), second);
  }

  const Value wide = b.cast(x, DType::F64);
  const Value product = b.mul(wide, first);
  const Value rest = b.fma(wide, second, b.fma(wide, first, b.neg(product)));
  const Value rounder = b.number(DType::F64, 0x1.8p52 + offset);
  const Value shifted = b.add(product, rounder);
  const Value fraction = b.add(b.sub(product, b.sub(shifted, rounder)), rest);
  const Value wide_r = b.mul(fraction, b.number(DType::F64, c::kHalfPiHighF64));
  const Value r = b.cast(wide_r, DType::F32);
  if (rest_of_r != nullptr) {
    *rest_of_r = b.cast(b.sub(wide_r, b.cast(r, DType::F64)), DType::F32);
  }

  const Value quadrant = b.cast(b.bitcast(shifted, DType::U64), DType::U32);
  return {.r = r,
          .is_even = b.eq(b.bit_and(quadrant, b.bits(1)), b.bits(0)),
          .flip = b.bit_and(b.shift_left(quadrant, 30), b.bits(b.sign_bit()))};
}

constexpr std::uint64_t kSignificandMask = (std::uint64_t{1} << 52) - 1;

/// whole - less for a whole < 2^52: its bits become those of 2^52 + whole.
Value float_of(ScalarBuilder& b, Value whole, double less) {
  const Value marked = b.bit_or(whole, b.bits(std::uint64_t{1075} << 52));
  return b.sub(b.from_bits(marked), b.number(0x1p52 + less));
}

/// 192 bits of 2/pi, the first of weight 2^-64 behind a point after those that give multiples of 4.
struct Window {
  Value high;
  Value middle;
  Value low;
};

/// `exponent`: the biased exponent of x, from 1022.
Window choose_window(ScalarBuilder& b, Value exponent) {
  // Words 64 `index` on, and then `by` bits, 0 to 64, on: 1023/2^16 is a little less than 1/64, so that
  // the largest of the 1025 exponents needs no word of its own.
  const Value distance = b.sub(exponent, b.bits(1022));
  const Value index = b.shift_right(b.mul(distance, b.bits(1023)), 16);
  const Value by = b.sub(distance, b.shift_left(index, 6));
  std::vector<Value> words;
  for (const std::uint64_t word : c::kTwoOverPiWords) words.push_back(b.bits(word));
  for (const std::size_t step : {8, 4, 2, 1}) {
    const Value is_set = b.lt(b.bits(0), b.bit_and(index, b.bits(step)));
    std::vector<Value> moved;
    for (std::size_t i = 0; i < 3 + step; ++i) {
      moved.push_back(b.select(is_set, words[i + step], words[i]));
    }
    words = std::move(moved);
  }

  const Value back = b.sub(b.bits(64), by);
  const auto funnel = [&](std::size_t i) {
    return b.bit_or(b.shift_left(words[i], by), b.shift_right(words[i + 1], back));
  };
  return {.high = funnel(0), .middle = funnel(1), .low = funnel(2)};
}

ReducedAngle reduce_f64(ScalarBuilder& b, Value x, int offset, Value* rest_of_r) {
  const Value pattern = b.to_bits(x);
  const Window window = choose_window(b, b.shift_right(pattern, 52));
  const Value stored = b.bit_and(pattern, b.bits(kSignificandMask));
  const Value whole = b.bit_or(stored, b.bits(std::uint64_t{1} << 52));
  const auto scaled = [&](int exponent) {  // in [2^exponent, 2^(exponent + 1))
    return b.from_bits(b.bit_or(stored, b.bits(static_cast<std::uint64_t>(1023 + exponent) << 52)));
  };

  // In units of 2^-64 (of four quadrants): whole * high + (whole * middle + ...) * 2^-64. The latter is
  // a float with its error, split at multiples of 4.
  const Value middle = b.cast(b.shift_right(window.middle, 11), DType::F64);
  const Value low =
      b.cast(b.bit_or(b.shift_left(window.middle, 53), b.shift_right(window.low, 11)), DType::F64);
  const Value factor = scaled(-1);
  const Value product = b.mul(factor, middle);
  const Value error = b.fma(factor, middle, b.neg(product));
  const Value rounder = b.number(0x1.8p54);
  const Value shifted = b.add(product, rounder);
  const Value rest = b.sub(product, b.sub(shifted, rounder));
  const Value tail = b.add(rest, b.fma(low, scaled(-65), error));

  // Half a quadrant is added, and half of what `high_part` counts in, so that cutting rounds. The top
  // two bits are the quadrant.
  constexpr std::uint64_t kRounderBits = std::uint64_t{0x435} << 52 | std::uint64_t{1} << 51;
  const std::uint64_t added = (std::uint64_t{1} << 61) + (std::uint64_t{1} << 9) -
                              (kRounderBits << 2) + (static_cast<std::uint64_t>(offset) << 62);
  const Value fours = b.shift_left(b.to_bits(shifted), 2);
  const Value reduced = b.add(b.add(b.mul(whole, window.high), fours), b.bits(added));

  // The fraction in units of 2^-64 of a quadrant: 52 bits from -2^63 on, 12 bits from -2^11 on, and the
  // float.
  const Value fraction = b.shift_left(reduced, 2);
  const Value high_part = float_of(b, b.shift_right(fraction, 12), 0x1p51);
  const Value low_bits = float_of(b, b.bit_and(fraction, b.bits(0xfff)), 0x1p11);
  const Value zero_or_nan = b.sub(x, x);
  const Value low_part = b.fma(tail, b.number(4.0), b.add(low_bits, zero_or_nan));
  const Value small = b.fma(high_part, b.number(0x1p-52 * c::kHalfPiLowF64),
                            b.mul(low_part, b.number(0x1p-64 * c::kHalfPiHighF64)));
  const Value scale = b.number(0x1p-52 * c::kHalfPiHighF64);
  const Value r = b.fma(high_part, scale, small);

  // Below pi/4 there is nothing to reduce, and the window would begin too late.
  const Value is_small = b.lt(x, b.number(c::kQuarterPiF64));
  const Value at_offset = b.bits(static_cast<std::uint64_t>(offset) << 62);
  const Value quadrant = b.select(is_small, at_offset, reduced);
  if (rest_of_r != nullptr) {
    const Value lost = b.add(b.fma(high_part, scale, b.neg(r)), small);
    *rest_of_r = b.select(is_small, b.number(0.0), lost);
  }
  const Value odd_bit = b.bit_and(quadrant, b.bits(std::uint64_t{1} << 62));
  return {.r = b.select(is_small, x, r),
          .is_even = b.eq(odd_bit, b.bits(0)),
          .flip = b.bit_and(quadrant, b.bits(b.sign_bit()))};
}

}  // namespace

ReducedAngle reduce_angle(ScalarBuilder& b, Value x, int offset, Value* rest) {
  return b.is_f32() ? reduce_f32(b, x, offset, rest) : reduce_f64(b, x, offset, rest);
}

}  // namespace sinter::codegen
