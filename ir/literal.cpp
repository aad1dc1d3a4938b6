// Making, reading and printing typed constants.
#include "ir/literal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/check.h"

namespace sinter::ir {

namespace {

std::uint64_t width_mask(DType dtype) {
  const int width = bits(dtype);
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Truncates and saturates; NaN becomes 0.
std::uint64_t to_integer_bits(DType dtype, double value) {
  if (std::isnan(value)) return 0;
  const bool is_signed = is_signed_integer(dtype);
  const int value_bits = bits(dtype) - (is_signed ? 1 : 0);
  const double limit = std::ldexp(1.0, value_bits);  // one above the largest
  const std::uint64_t highest = width_mask(dtype) >> (is_signed ? 1 : 0);
  if (value >= limit) return highest;
  const double whole = std::trunc(value);
  if (!is_signed) return whole <= 0.0 ? 0 : static_cast<std::uint64_t>(whole);
  if (whole < -limit) return ~highest & width_mask(dtype);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) & width_mask(dtype);
}

/// The f64 next to `value` that keeps its lowest bit set where bits were lost, so that rounding it
/// again to at most 51 bits gives what rounding `value` once would have given.
double round_to_odd(std::int64_t value) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) magnitude = 0 - magnitude;
  int shift = 0;
  while ((magnitude >> 53) != 0) {
    magnitude = (magnitude >> 1) | (magnitude & 1);
    ++shift;
  }
  const double result = std::ldexp(static_cast<double>(magnitude), shift);
  return value < 0 ? -result : result;
}

/// Bits of +inf; nullopt where the format has none.
std::optional<std::uint64_t> infinity_bits(DType dtype) {
  const std::uint64_t bits = encode_float(dtype, std::numeric_limits<double>::infinity());
  if (std::isinf(decode_float(dtype, bits))) return bits;
  if (std::isinf(decode_float(dtype, bits + 1))) return bits + 1;  // f8e5m2: conversions saturate
  return std::nullopt;
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename Number>
std::string shortest_text(Number value) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Fewest digits that round back; whole numbers print exactly (448.0, not 450.0).
std::string narrow_text(DType dtype, std::uint64_t bits) {
  const double value = decode_float(dtype, bits);
  if (value == std::trunc(value) && std::fabs(value) < 0x1p24) return shortest_text(value);
  for (int digits = 1; digits < 17; ++digits) {
    std::array<char, 64> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::scientific, digits - 1);
    const auto candidate = parse_number<double>({buffer.data(), result.ptr});
    if (candidate && encode_float(dtype, *candidate) == bits) return shortest_text(*candidate);
  }
  return shortest_text(value);
}

std::string float_text(const Literal& literal) {
  const double value = as_double(literal);
  if (std::isnan(value)) {
    const bool canonical = literal.bits == encode_float(literal.dtype, value);
    return canonical ? "nan" : fmt::format("nan(0x{:x})", literal.bits);
  }
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (literal.dtype == DType::F64) return shortest_text(value);
  if (literal.dtype == DType::F32) return shortest_text(static_cast<float>(value));
  return narrow_text(literal.dtype, literal.bits);
}

std::optional<Literal> parse_nan(DType dtype, std::string_view text) {
  if (text == "nan") return make_literal(dtype, std::numeric_limits<double>::quiet_NaN());
  if (!text.starts_with("nan(0x") || !text.ends_with(')')) return std::nullopt;
  const std::string_view digits = text.substr(6, text.size() - 7);
  std::uint64_t bits = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if ((bits & ~width_mask(dtype)) != 0) return std::nullopt;
  return std::isnan(decode_float(dtype, bits)) ? std::optional(Literal{dtype, bits}) : std::nullopt;
}

std::optional<Literal> parse_float(DType dtype, std::string_view text) {
  if (text.starts_with("nan")) return parse_nan(dtype, text);
  if (text == "inf" || text == "-inf") {
    const auto bits = infinity_bits(dtype);
    if (!bits) return std::nullopt;
    const std::uint64_t sign = text[0] == '-' ? (width_mask(dtype) >> 1) + 1 : 0;
    return Literal{dtype, *bits | sign};
  }
  if (dtype == DType::F32) {  // straight to f32: by way of f64 it would round twice
    const auto value = parse_number<float>(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return make_literal(dtype, static_cast<double>(*value));
  }
  const auto value = parse_number<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  const Literal literal = make_literal(dtype, *value);
  const double rounded = as_double(literal);
  // Neither a rounding to infinity nor a saturation is what the text says.
  if (!std::isfinite(rounded)) return std::nullopt;
  const bool is_f8 = bits(dtype) == 8;
  const double largest = is_f8 ? decode_float(dtype, encode_float(dtype, 1e300)) : 0.0;
  if (is_f8 && std::fabs(*value) > largest) return std::nullopt;
  return literal;
}

}  // namespace

Literal make_literal(DType dtype, double value) {
  if (dtype == DType::Bool) return {dtype, value != 0.0 ? 1u : 0u};
  if (is_float(dtype)) return {dtype, encode_float(dtype, value)};
  return {dtype, to_integer_bits(dtype, value)};
}

Literal make_integer_literal(DType dtype, std::int64_t value) {
  if (dtype == DType::Bool) return {dtype, value != 0 ? 1u : 0u};
  if (dtype == DType::F64) return {dtype, encode_float(dtype, static_cast<double>(value))};
  if (is_float(dtype)) return {dtype, encode_float(dtype, round_to_odd(value))};
  return {dtype, static_cast<std::uint64_t>(value) & width_mask(dtype)};
}

std::optional<Literal> make_exact_literal(DType dtype, double value) {
  const Literal literal = make_literal(dtype, value);
  if (std::isnan(value)) return is_float(dtype) ? std::optional(literal) : std::nullopt;
  if (as_double(literal) != value) return std::nullopt;
  // The largest 64-bit integers print the same as f64 as the limits that they saturated from.
  const bool is_wide = is_integer(dtype) && bits(dtype) == 64;
  const double limit = is_signed_integer(dtype) ? 0x1p63 : 0x1p64;
  if (is_wide && value >= limit) return std::nullopt;
  return literal;
}

double as_double(const Literal& literal) {
  if (is_float(literal.dtype)) return decode_float(literal.dtype, literal.bits);
  if (is_signed_integer(literal.dtype)) return static_cast<double>(as_integer(literal));
  return static_cast<double>(literal.bits);
}

std::int64_t as_integer(const Literal& literal) {
  support::check(!is_float(literal.dtype), "as_integer of a {} literal", to_string(literal.dtype));
  if (!is_signed_integer(literal.dtype)) return static_cast<std::int64_t>(literal.bits);
  const int shift = 64 - bits(literal.dtype);
  return static_cast<std::int64_t>(literal.bits << shift) >> shift;
}

std::string to_string(const Literal& literal) {
  if (literal.dtype == DType::Bool) return literal.bits != 0 ? "true" : "false";
  if (is_float(literal.dtype)) return float_text(literal);
  if (is_signed_integer(literal.dtype)) return std::to_string(as_integer(literal));
  return std::to_string(literal.bits);
}

std::optional<Literal> parse_literal(DType dtype, std::string_view text) {
  if (dtype == DType::Bool) {
    if (text == "true") return Literal{dtype, 1};
    if (text == "false") return Literal{dtype, 0};
    return std::nullopt;
  }
  if (is_float(dtype)) return parse_float(dtype, text);
  if (!is_signed_integer(dtype)) {
    const auto value = parse_number<std::uint64_t>(text);
    if (!value || (*value & ~width_mask(dtype)) != 0) return std::nullopt;
    return Literal{dtype, *value};
  }
  const auto value = parse_number<std::int64_t>(text);
  if (!value) return std::nullopt;
  const Literal literal = make_integer_literal(dtype, *value);
  return as_integer(literal) == *value ? std::optional(literal) : std::nullopt;
}

}  // namespace sinter::ir
