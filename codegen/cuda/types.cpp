// Conversions by kind: narrow floats go through f32, wide sources through f32 rounded to odd.
#include "codegen/cuda/types.h"

#include <cmath>

#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::Literal;

std::string name_of(DType dtype) { return std::string(to_string(dtype)); }

/// Decimal where it is short and exact in both roundings of a C parser, else hexadecimal.
std::string float_text(double value, bool is_f32) {
  const char* suffix = is_f32 ? "f" : "";
  const std::string shortest =
      is_f32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  const bool is_plain = shortest.size() <= 8 && shortest.find('e') == std::string::npos &&
                        (!is_f32 || std::stod(shortest) == value);
  if (!is_plain) return fmt::format("{:a}{}", value, suffix);
  const bool has_point = shortest.find('.') != std::string::npos;
  return shortest + (has_point ? "" : ".0") + suffix;
}

std::string float_literal(const Literal& literal) {
  const bool is_f32 = literal.dtype == DType::F32;
  const double value = ir::as_double(literal);
  if (!std::isfinite(value)) {
    return is_f32 ? fmt::format("__uint_as_float(0x{:08x}u)", literal.bits)
                  : fmt::format("__longlong_as_double(0x{:016x}ll)", literal.bits);
  }
  const std::string text = float_text(value, is_f32);
  return text.front() == '-' ? "(" + text + ")" : text;
}

std::string integer_literal(const Literal& literal, PieceSet& pieces) {
  const std::int64_t value = ir::as_integer(literal);
  const DType dtype = literal.dtype;
  if (dtype == DType::U64) return fmt::format("{}ull", static_cast<std::uint64_t>(value));
  if (dtype == DType::U32) return fmt::format("{}u", static_cast<std::uint32_t>(value));
  if (dtype == DType::I64 || dtype == DType::I32) {
    const char* suffix = dtype == DType::I64 ? "ll" : "";
    const std::int64_t lowest = dtype == DType::I64 ? INT64_MIN : INT32_MIN;
    if (value == lowest) return fmt::format("({}{} - 1)", value + 1, suffix);
    return value < 0 ? fmt::format("({}{})", value, suffix) : fmt::format("{}{}", value, suffix);
  }
  return fmt::format("({}){}", pieces.use(name_of(dtype)), value);
}

std::string saturated(const std::string& value, DType from, DType to, PieceSet& pieces) {
  const int bits = ir::bits(to);
  const bool is_signed = ir::is_signed_integer(to);
  const int power = is_signed ? bits - 1 : bits;
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - power);
  const std::uint64_t lowest = is_signed ? ~highest : 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  const std::string suffix = from == DType::F64 ? "" : "f";
  const std::string below = is_signed ? fmt::format("-0x1p{}{}", power, suffix) : "0.0" + suffix;
  const std::string above = fmt::format("0x1p{}{}", power, suffix);
  const std::string type = value_type(to, pieces);
  std::string call = pieces.use("saturate") + "<" + type + ">(" + value + ", " + below + ", ";
  call += emit_literal({to, lowest & mask}, pieces) + ", " + above + ", ";
  return call + emit_literal({to, highest}, pieces) + ")";
}

/// f32 text that rounds to `to` exactly as `value` itself would.
std::string as_f32_for_rounding(const std::string& value, DType from, PieceSet& pieces) {
  if (from == DType::F64) return pieces.use("f64_to_f32_odd") + "(" + value + ")";
  if (ir::is_integer(from) && ir::bits(from) > 16) {
    const bool is_signed = ir::is_signed_integer(from);
    return pieces.use(is_signed ? "i64_to_f32_odd" : "u64_to_f32_odd") + "(" + value + ")";
  }
  return emit_cast(value, from, DType::F32, pieces);
}

}  // namespace

std::string memory_type(DType dtype, PieceSet& pieces) {
  return dtype == DType::Bool ? pieces.use("u8") : value_type(dtype, pieces);
}

std::string value_type(DType dtype, PieceSet& pieces) {
  if (dtype == DType::Bool) return "bool";
  if (dtype == DType::F32) return "float";
  if (dtype == DType::F64) return "double";
  return pieces.use(name_of(dtype));
}

std::string emit_literal(const Literal& literal, PieceSet& pieces) {
  const DType dtype = literal.dtype;
  if (dtype == DType::Bool) return literal.bits != 0 ? "true" : "false";
  if (dtype == DType::F32 || dtype == DType::F64) return float_literal(literal);
  if (ir::is_integer(dtype)) return integer_literal(literal, pieces);
  return fmt::format("({})0x{:x}u", pieces.use(name_of(dtype)), literal.bits);
}

std::string emit_cast(const std::string& value, DType from, DType to, PieceSet& pieces) {
  if (from == to) return value;
  if (ir::is_narrow_float(to)) {
    return pieces.use("f32_to_" + name_of(to)) + "(" + as_f32_for_rounding(value, from, pieces) +
           ")";
  }
  if (ir::is_narrow_float(from)) {
    const std::string wide = pieces.use(name_of(from) + "_to_f32") + "(" + value + ")";
    return emit_cast(wide, DType::F32, to, pieces);
  }
  if (to == DType::Bool) return "(" + value + " != 0)";
  if (ir::is_float(from) && ir::is_integer(to)) return saturated(value, from, to, pieces);
  return "(" + value_type(to, pieces) + ")" + value;
}

std::string emit_bitcast(const std::string& value, DType from, DType to, PieceSet& pieces) {
  support::check(ir::bits(from) == ir::bits(to), "bitcast from {} to {}", name_of(from),
                 name_of(to));
  if (from == to) return value;
  if (to == DType::Bool) return "(" + value + " != 0)";
  std::string integer = value;
  DType held = from;
  if (from == DType::F32) {
    integer = "__float_as_uint(" + value + ")";
    held = DType::U32;
  }
  if (from == DType::F64) {
    integer = "__double_as_longlong(" + value + ")";
    held = DType::I64;
  }
  if (to == held) return integer;
  if (to == DType::F32) return "__uint_as_float(" + integer + ")";
  if (to == DType::F64) return "__longlong_as_double(" + integer + ")";
  return "(" + value_type(to, pieces) + ")" + integer;
}

}  // namespace sinter::codegen::cuda
