// Folds over sliding windows, and resampling.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

/// Lists have one number a dimension of the window, or one for all, or none for the default.
struct PoolOptions {
  /// The window unless given.
  std::vector<std::int64_t> stride = {};
  std::vector<std::int64_t> padding = {};
  /// The same as `padding` unless given.
  std::optional<std::vector<std::int64_t>> padding_high = {};
  std::vector<std::int64_t> dilation = {};
  /// A last window that sticks out of the padded operand counts, if it begins in the operand or in
  /// the padding before it.
  bool ceil_mode = false;
  /// avg_pool: padding counts as elements that are 0.
  bool include_pad = true;
  /// "nchw": the window slides over the last dimensions; "nhwc": over those before the last.
  std::string layout = "nchw";
};

/// Largest of each window; padding never wins.
Tensor max_pool(const Operand& a, const std::vector<std::int64_t>& window,
                const PoolOptions& options = {});
Tensor avg_pool(const Operand& a, const std::vector<std::int64_t>& window,
                const PoolOptions& options = {});
/// norm of each window; padding is 0.
Tensor lp_pool(const Operand& a, const std::vector<std::int64_t>& window, double order = 2,
               const PoolOptions& options = {});

/// As many results as `extents` says, one a last dimension (or before the last, for "nhwc"): result p
/// of m folds elements floor(p n / m) to ceil((p + 1) n / m).
Tensor adaptive_max_pool(const Operand& a, const std::vector<Dim>& extents,
                         const std::string& layout = "nchw");
Tensor adaptive_avg_pool(const Operand& a, const std::vector<Dim>& extents,
                         const std::string& layout = "nchw");

struct InterpolateOptions {
  /// "nearest", "linear" (bilinear and trilinear over two and three dimensions) or "cubic" (bicubic;
  /// cubic convolution with a = -3/4, the outermost elements repeated).
  std::string variant = "nearest";
  /// linear and cubic: the first and last elements of operand and result coincide; else the outer edges do.
  bool align_corners = false;
  std::string layout = "nchw";
};
/// Resampled to these extents of the last dimensions.
Tensor interpolate(const Operand& a, const std::vector<Dim>& extents,
                   const InterpolateOptions& options = {});

}  // namespace sinter
