// Convolutions in 1 to 3 dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

/// Lists have one number a sliding dimension, or one for all, or none for the default.
struct ConvOptions {
  std::vector<std::int64_t> stride = {};
  /// Zeros before each dimension, and after it unless `padding_high` says otherwise; negative numbers
  /// crop.
  std::vector<std::int64_t> padding = {};
  std::optional<std::vector<std::int64_t>> padding_high = {};
  std::vector<std::int64_t> dilation = {};
  int groups = 1;
  /// Where channels stand, in operand and weight: "nchw" or "nhwc", in any number of dimensions.
  std::string layout = "nchw";
  /// [out].
  std::optional<Tensor> bias = {};
  /// conv_transpose only: elements added at the end of each dimension.
  std::vector<std::int64_t> output_padding = {};
};

/// x [n, channels, extents...] and weight [out, channels / groups, window...], or [n, extents...,
/// channels] and [out, window..., channels / groups] -> [n, out, places...] or [n, places..., out].
/// The window's extents are numbers.
Tensor conv(const Operand& x, const Tensor& weight, const ConvOptions& options = {});

/// The transpose of conv, as its gradient: weight [channels, out / groups, window...] (or [channels,
/// window..., out / groups]); an extent n becomes (n - 1) stride - padding - padding_high +
/// dilation (window - 1) + 1 + output_padding.
Tensor conv_transpose(const Operand& x, const Tensor& weight, const ConvOptions& options = {});

}  // namespace sinter
