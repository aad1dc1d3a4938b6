// Element types of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinter {

/// Element type. F8E4M3 is OCP e4m3fn (no infinity, largest finite 448); F8E5M2 is IEEE-like
/// (largest finite 57344). Bool is one byte, 0 or 1.
enum class DType : std::uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F8E4M3,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64,
};

inline constexpr int kDTypeCount = 15;

/// Printed name: "bool", "i8", ..., "f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64".
std::string_view to_string(DType dtype);

/// Bytes of one element.
std::size_t size_bytes(DType dtype);

}  // namespace sinter
