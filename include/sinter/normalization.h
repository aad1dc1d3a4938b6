// Norms over the extents of [n, channels, ...]; weight and bias have shape [channels].
#pragma once

#include <optional>

#include "sinter/tensor.h"

namespace sinter {

/// Over each of `groups` groups of channels of a row.
Tensor group_norm(const Operand& a, int groups, const std::optional<Tensor>& weight = {},
                  const std::optional<Tensor>& bias = {}, double epsilon = 1e-5);
/// Over each channel of a row.
Tensor instance_norm(const Operand& a, const std::optional<Tensor>& weight = {},
                     const std::optional<Tensor>& bias = {}, double epsilon = 1e-5);

struct BatchNormOptions {
  std::optional<Tensor> weight = {};
  std::optional<Tensor> bias = {};
  double epsilon = 1e-5;
  /// The channels' axis.
  int axis = 1;
};
/// With a given mean and variance, [channels] each.
Tensor batch_norm(const Operand& a, const Tensor& mean, const Tensor& variance,
                  const BatchNormOptions& options = {});

/// What batch_norm_train gives: mean and variance (divided by the number of elements) are [channels].
struct BatchNormResult {
  Tensor result;
  Tensor mean;
  Tensor variance;
};
/// With the mean and variance of a itself.
BatchNormResult batch_norm_train(const Operand& a, const BatchNormOptions& options = {});

}  // namespace sinter
