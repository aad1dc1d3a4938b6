// Conversions: one rounding to nearest even whatever the two types; integers wrap; float to integer
// truncates and saturates, NaN becomes 0; f8 saturates; to bool: a != 0.
#include "codegen/expand/primitive.h"

namespace sinter::codegen {

using ir::DType;
using ir::Literal;

namespace {

/// A u64 of at least 2^63 as a float: half of it, with the lost bit kept sticky, then doubled,
/// which is exact or overflows as the whole would.
Literal convert_large_u64(std::uint64_t value, DType dtype) {
  const auto half = static_cast<std::int64_t>((value >> 1) | (value & 1));
  return ir::make_literal(dtype, 2.0 * ir::as_double(ir::make_integer_literal(dtype, half)));
}

}  // namespace

Literal evaluate_cast(const Literal& literal, DType dtype) {
  if (ir::is_float(literal.dtype)) return ir::make_literal(dtype, ir::as_double(literal));
  const std::int64_t value = ir::as_integer(literal);
  const bool is_large = literal.dtype == DType::U64 && value < 0;
  if (is_large && ir::is_float(dtype)) return convert_large_u64(literal.bits, dtype);
  return ir::make_integer_literal(dtype, value);
}

}  // namespace sinter::codegen
