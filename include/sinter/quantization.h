// Small integers and f8 with a scale, and pairs of 4 bits in a byte. Scale and zero point have rank 0,
// one element an index of `axis`, or one for each `group` elements along it.
#pragma once

#include <cstdint>
#include <optional>

#include "sinter/tensor.h"

namespace sinter {

struct QuantizeOptions {
  /// An integer, of the scale's shape or rank 0.
  std::optional<Tensor> zero_point = {};
  std::optional<int> axis = {};
  /// Elements along `axis` that share a scale, whose extent there is ceil(n / group); other dimensions
  /// are a's, or 1. The last group may be shorter.
  std::optional<std::int64_t> group = {};
  /// quantize only: saturates to this many bits, 4 for what pack4 takes; the dtype's unless given.
  std::optional<int> bits = {};
};

/// To i8, u8, i16 or u16: round(a / scale) + zero_point, saturated. To f8: a / scale, saturated. The
/// scale has a's dtype; the zero point is an integer.
Tensor quantize(const Operand& a, const Tensor& scale, DType dtype,
                const std::optional<Tensor>& zero_point = {}, std::optional<int> axis = {});
/// (a - zero_point) * scale in the floating `dtype`.
Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype = DType::F32,
                  const std::optional<Tensor>& zero_point = {}, std::optional<int> axis = {});

/// The same with groups, or fewer bits.
Tensor quantize(const Operand& a, const Tensor& scale, DType dtype, const QuantizeOptions& options);
Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype,
                  const QuantizeOptions& options);

/// Two neighbours along `axis` in one u8, each modulo 16: element 2 i in the low half of byte i, 2 i + 1
/// in the high one. Integers; the extent is even.
Tensor pack4(const Operand& a, int axis = -1);
/// The halves of each u8: i8 from -8 to 7, or u8 from 0 to 15 where not `is_signed`.
/// dequantize(unpack4(x), scale, DType::BF16, {.axis = 1, .group = 64}) is one fused expression.
Tensor unpack4(const Operand& a, bool is_signed = true, int axis = -1);

}  // namespace sinter
