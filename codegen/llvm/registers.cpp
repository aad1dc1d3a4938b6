// Types and constants of LLVM's text form.
#include "codegen/llvm/registers.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::DType;

std::string lane_type(DType dtype) {
  if (dtype == DType::Bool) return "i1";
  if (dtype == DType::F32) return "float";
  if (dtype == DType::F64) return "double";
  return fmt::format("i{}", ir::bits(dtype));
}

std::string memory_type(DType dtype) { return dtype == DType::Bool ? "i8" : lane_type(dtype); }

std::string vector_type(const std::string& lane, int width) {
  return width == 1 ? lane : fmt::format("<{} x {}>", width, lane);
}

std::string type_of(const Register& value) {
  return vector_type(lane_type(value.dtype), value.width);
}

std::string intrinsic_suffix(DType dtype, int width) {
  const bool has_float_register = dtype == DType::F32 || dtype == DType::F64;
  const int bits = dtype == DType::Bool ? 1 : ir::bits(dtype);
  const std::string lane = fmt::format("{}{}", has_float_register ? "f" : "i", bits);
  return width == 1 ? lane : fmt::format("v{}{}", width, lane);
}

namespace {

/// An f32 NaN as an f64: sign, quiet bit and payload move up. Quiet ones only: LLVM refuses others.
std::uint64_t widen_nan(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 31) << 63;
  const std::uint64_t payload = (bits & 0x7fffff) << 29;
  return sign | 0x7ff8000000000000 | payload;
}

}  // namespace

std::string lane_text(const ir::Literal& literal) {
  switch (literal.dtype) {
    case DType::Bool: return literal.bits != 0 ? "true" : "false";
    case DType::F64: return fmt::format("0x{:016X}", literal.bits);
    case DType::F32: {
      const double value = ir::as_double(literal);
      const std::uint64_t bits =
          std::isnan(value) ? widen_nan(literal.bits) : std::bit_cast<std::uint64_t>(value);
      return fmt::format("0x{:016X}", bits);
    }
    default: break;
  }
  // Narrow floats are kept as their bits.
  if (ir::is_float(literal.dtype)) return std::to_string(literal.bits);
  return std::to_string(ir::as_integer(literal));
}

}  // namespace sinter::codegen::llvm
