// A typed constant, kept as the bits of its dtype: exact for every type, NaN and -0.0 included.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/dtype.h"

namespace sinter::ir {

struct Literal {
  DType dtype = DType::F32;
  std::uint64_t bits = 0;
  /// Bitwise: NaN equals the same NaN, -0.0 differs from 0.0.
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

/// `value` rounded to nearest even (f8 saturates; integers truncate and saturate, NaN becomes 0).
Literal make_literal(DType dtype, double value);
/// Wraps modulo 2^bits for integers; rounds for floats.
Literal make_integer_literal(DType dtype, std::int64_t value);
/// As make_literal, but nullopt unless `value` is representable without any change.
std::optional<Literal> make_exact_literal(DType dtype, double value);

/// The value as f64 (exact for all but large 64-bit integers).
double as_double(const Literal& literal);
/// The value of an integer or bool literal; u64 is reinterpreted. InternalError for floats.
std::int64_t as_integer(const Literal& literal);

/// Shortest text that reads back to the same bits: "1.5", "-0.0", "inf", "nan", "42", "true".
std::string to_string(const Literal& literal);
/// Inverse, for the given type; nullopt where the text is no such value.
std::optional<Literal> parse_literal(DType dtype, std::string_view text);

// Conversions between f64 and the narrow formats, round to nearest even, subnormals kept.
// f8 conversions saturate to the largest finite value; NaN stays NaN.
std::uint64_t encode_float(DType dtype, double value);
double decode_float(DType dtype, std::uint64_t bits);

}  // namespace sinter::ir
