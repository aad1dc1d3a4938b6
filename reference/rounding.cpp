// The formats' constants, and rounding by scaling to a whole number.
#include "reference/rounding.h"

#include <algorithm>
#include <bit>

#include "ir/literal.h"
#include "support/check.h"

namespace sinter::reference {

using ir::DType;

namespace {

/// Exponent of the smallest normal number, and the largest finite value.
struct Format {
  int min_exponent;
  Wide largest;
  bool saturates;
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::F8E4M3: return {-6, 448.0L, true};
    case DType::F8E5M2: return {-14, 57344.0L, true};
    case DType::F16: return {-14, 65504.0L, false};
    case DType::BF16: return {-126, 0x1.FEp127L, false};
    case DType::F32: return {-126, std::numeric_limits<float>::max(), false};
    case DType::F64: return {-1022, std::numeric_limits<double>::max(), false};
    case DType::Bool:
    case DType::I8:
    case DType::I16:
    case DType::I32:
    case DType::I64:
    case DType::U8:
    case DType::U16:
    case DType::U32:
    case DType::U64: break;
  }
  support::throw_internal("{} is no float type", to_string(dtype));
}

}  // namespace

Wide unit_roundoff(DType dtype) { return std::ldexp(1.0L, -ir::significand_bits(dtype)); }

Wide largest_finite(DType dtype) { return format_of(dtype).largest; }

Wide smallest_positive(DType dtype) {
  return std::ldexp(1.0L, format_of(dtype).min_exponent - ir::significand_bits(dtype) + 1);
}

Wide round_to(DType dtype, Wide value) {
  const Format format = format_of(dtype);
  if (std::isnan(value) || value == 0) return value;
  if (std::isinf(value)) return format.saturates ? std::copysign(format.largest, value) : value;
  // The quantum of value's binade; below the normal range that of the subnormals.
  const int exponent = std::max(std::ilogb(value), format.min_exponent);
  const int quantum = exponent - ir::significand_bits(dtype) + 1;
  const Wide rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  if (std::abs(rounded) <= format.largest) return std::copysign(rounded, value);
  return std::copysign(format.saturates ? format.largest : kInfinity, value);
}

std::uint64_t encode_real(DType dtype, Wide value) {
  // ir::encode_float converts, and conversions to f8 saturate.
  if (dtype == DType::F8E5M2 && std::isinf(value)) return value < 0 ? 0xfc : 0x7c;
  return ir::encode_float(dtype, static_cast<double>(value));
}

Wide decode_real(DType dtype, std::uint64_t bits) {
  if (dtype == DType::F64) return std::bit_cast<double>(bits);
  if (dtype == DType::F32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return ir::decode_float(dtype, bits);
}

std::uint64_t wrap_to(DType dtype, std::uint64_t bits) {
  if (dtype == DType::Bool) return bits & 1U;
  const int unused = 64 - ir::bits(dtype);
  const std::uint64_t high = bits << unused;
  if (!ir::is_signed_integer(dtype)) return high >> unused;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> unused);
}

Wide integer_value(DType dtype, std::uint64_t bits) {
  if (ir::is_signed_integer(dtype)) return static_cast<Wide>(static_cast<std::int64_t>(bits));
  return static_cast<Wide>(bits);
}

Element round_element(DType dtype, const Element& element) {
  const Wide rounded = round_to(dtype, element.real);
  if (element.is_exact() || element.is_undecided() || std::isnan(rounded)) {
    return {rounded, 0, element.bound};
  }
  const Wide low = round_to(dtype, element.real - element.bound);
  const Wide high = round_to(dtype, element.real + element.bound);
  // A zero of either sign, where the exact value may lie on either side.
  const bool may_be_either_zero = rounded == 0 && std::signbit(low) != std::signbit(high);
  if (low == rounded && high == rounded) {
    return make_real(rounded,
                     may_be_either_zero ? static_cast<double>(smallest_positive(dtype)) : 0);
  }
  // An end that overflows gives an infinite bound: undecided.
  return make_real(rounded, static_cast<double>(std::max(high - rounded, rounded - low)));
}

Element computed_element(DType compute, Wide value, Wide propagated, Wide relative) {
  if (std::isnan(propagated) || std::isinf(propagated)) return make_undecided(make_real(value));
  if (!std::isfinite(value)) return make_real(value);
  const Wide u = unit_roundoff(compute);
  if (propagated == 0 && relative <= u && round_to(compute, value) == value) {
    return make_real(value);
  }
  const Wide error = (propagated + relative * (std::abs(value) + propagated)) * kWideSlack +
                     smallest_positive(compute);
  const Wide largest = largest_finite(compute);
  if (std::abs(value) - error >= largest * (1 + u)) {
    return make_real(std::copysign(kInfinity, value));
  }
  if (std::abs(value) + error > largest) return make_undecided(make_real(value));
  return make_real(value, static_cast<double>(error));
}

Wide gamma_factor(std::int64_t roundings, Wide u) {
  const Wide product = static_cast<Wide>(std::max<std::int64_t>(roundings, 0)) * u;
  return product < 1 ? product / (1 - product) : kInfinity;
}

}  // namespace sinter::reference
