// Small integers and f8 with a scale. Scale and zero point have rank 0, or one element an index of
// `axis`.
#pragma once

#include <optional>

#include "sinter/tensor.h"

namespace sinter {

/// To i8, u8, i16 or u16: round(a / scale) + zero_point, saturated. To f8: a / scale, saturated. The
/// scale has a's dtype; the zero point is an integer.
Tensor quantize(const Operand& a, const Tensor& scale, DType dtype,
                const std::optional<Tensor>& zero_point = {}, std::optional<int> axis = {});
/// (a - zero_point) * scale in the floating `dtype`.
Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype = DType::F32,
                  const std::optional<Tensor>& zero_point = {}, std::optional<int> axis = {});

}  // namespace sinter
