// Conversions between f64 and every float format, rounding once, to nearest even.
//
//   format   exponent  fraction  bias  largest finite  above it
//   f8e4m3   4 bits    3 bits    7     0x7e (448)      0x7f is NaN; no infinity
//   f8e5m2   5         2         15    0x7b (57344)    0x7c inf, 0x7d..0x7f NaN
//   f16      5         10        15    0x7bff          0x7c00 inf
//   bf16     8         7         127   0x7f7f          0x7f80 inf
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ir/literal.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

struct Format {
  int fraction_bits;
  int bias;
  std::uint64_t sign_bit;
  std::uint64_t largest;  // bits of the largest finite value
  std::uint64_t nan;      // bits of the canonical NaN
  bool has_infinity;      // in the format; its bits are largest + 1
  bool saturates;         // conversions give the largest finite value instead of infinity
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::F8E4M3: return {3, 7, 0x80, 0x7e, 0x7f, false, true};
    case DType::F8E5M2: return {2, 15, 0x80, 0x7b, 0x7e, true, true};
    case DType::F16: return {10, 15, 0x8000, 0x7bff, 0x7e00, true, false};
    case DType::BF16: return {7, 127, 0x8000, 0x7f7f, 0x7fc0, true, false};
    default: support::throw_internal("{} is not a narrow float", to_string(dtype));
  }
}

/// A non-negative number below 2^53, rounded to nearest even whatever the machine's mode.
std::uint64_t round_half_even(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  auto result = static_cast<std::uint64_t>(below);
  if (rest > 0.5 || (rest == 0.5 && result % 2 == 1)) ++result;
  return result;
}

std::uint64_t encode_narrow(const Format& format, double value) {
  if (std::isnan(value)) return format.nan;
  const std::uint64_t sign = std::signbit(value) ? format.sign_bit : 0;
  const double magnitude = std::fabs(value);
  const std::uint64_t above = format.saturates ? format.largest : format.largest + 1;
  if (magnitude == 0.0) return sign;
  if (std::isinf(magnitude)) return sign | above;
  // Below 2^(1 - bias) the spacing stays that of the smallest normal numbers (subnormals). Adding
  // the rounded significand to the exponent field lets a carry move into the next binade.
  const int exponent = std::max(std::ilogb(magnitude), 1 - format.bias);
  const double scaled = std::ldexp(magnitude, format.fraction_bits - exponent);
  const auto field = static_cast<std::uint64_t>(exponent + format.bias - 1);
  const std::uint64_t bits = (field << format.fraction_bits) + round_half_even(scaled);
  return sign | (bits > format.largest ? above : bits);
}

double decode_narrow(const Format& format, std::uint64_t bits) {
  const double sign = (bits & format.sign_bit) != 0 ? -1.0 : 1.0;
  const std::uint64_t magnitude = bits & (format.sign_bit - 1);
  if (magnitude > format.largest) {
    const bool is_infinity = format.has_infinity && magnitude == format.largest + 1;
    return is_infinity ? sign * std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  }
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  const auto field = static_cast<int>(magnitude >> format.fraction_bits);
  std::uint64_t significand = magnitude & (hidden - 1);
  if (field > 0) significand |= hidden;
  const int exponent = std::max(field, 1) - format.bias - format.fraction_bits;
  return sign * std::ldexp(static_cast<double>(significand), exponent);
}

}  // namespace

std::uint64_t encode_float(DType dtype, double value) {
  if (dtype == DType::F32) {
    if (std::isnan(value)) return 0x7fc00000;
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  if (dtype == DType::F64) {
    if (std::isnan(value)) return 0x7ff8000000000000;
    return std::bit_cast<std::uint64_t>(value);
  }
  return encode_narrow(format_of(dtype), value);
}

double decode_float(DType dtype, std::uint64_t bits) {
  if (dtype == DType::F32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (dtype == DType::F64) return std::bit_cast<double>(bits);
  return decode_narrow(format_of(dtype), bits);
}

}  // namespace sinter::ir
