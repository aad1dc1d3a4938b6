// Questions about element types. The enumeration itself is public: sinter/dtype.h.
#pragma once

#include <optional>
#include <string_view>

#include "sinter/dtype.h"

namespace sinter::ir {

using sinter::DType;

bool is_float(DType dtype);
/// Any integer type; Bool is not one.
bool is_integer(DType dtype);
bool is_signed_integer(DType dtype);
/// f8, f16 and bf16: computed in f32, rounded where cast or stored.
bool is_narrow_float(DType dtype);
int bits(DType dtype);
/// Type in which arithmetic on `dtype` is done: f32 for narrow floats, else the type itself.
DType compute_dtype(DType dtype);
/// Result type of a sum: i64 for bool and integers of at most 32 bits signed, u64 for unsigned ones,
/// else the type itself.
DType sum_dtype(DType dtype);
/// Significand bits with the hidden one: 4 (e4m3), 3 (e5m2), 11, 8, 24, 53; 0 for integers.
int significand_bits(DType dtype);
/// Whether every value of `from` is a value of `to`, so that a cast changes nothing.
bool is_lossless_cast(DType from, DType to);
/// Inverse of to_string.
std::optional<DType> parse_dtype(std::string_view text);

}  // namespace sinter::ir
