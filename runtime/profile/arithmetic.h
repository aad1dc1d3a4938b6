// What carries out operations on a device, each with a rate of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinter::runtime {

enum class Arithmetic : std::uint8_t {
  F64,          // multiply-adds and everything else in f64
  F32,          // the same in f32, in which narrow floats and integers are counted too
  ProductF64,   // sums of products: matmul, einsum
  ProductF32,   // as accurate as f32, by whatever means
  ProductTf32,  // of f32 operands rounded to 11 bits
  ProductF16,
  ProductBf16,
  ProductF8,
  ProductI8,
};

std::span<const Arithmetic> all_arithmetic();
/// "f32", "bf16 products".
std::string_view to_string(Arithmetic arithmetic);

}  // namespace sinter::runtime
