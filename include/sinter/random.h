// Random numbers that are functions of a counter: the same seed gives the same numbers on every
// device, in any order of evaluation.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

/// Philox 4x32-10: four u32 words for 128 bits of counter and 64 bits of key; integers that broadcast.
std::array<Tensor, 4> philox(const Operand& counter_low, const Tensor& counter_high,
                             const Tensor& key);

/// f32 in [0, 1), multiples of 2^-24. `seed` and `stream` are integers of rank 0, host scalars or
/// tensors; numbers of different streams (a step, a layer) are independent.
Tensor random_uniform(const Operand& seed, const std::vector<Dim>& shape,
                      const std::optional<Tensor>& stream = {});

/// f32 of the standard normal distribution, from the same counters: sqrt(-2 log(u)) cos(2 pi v) for
/// u = (word 0 + 1/2) / 2^32 and v, the top 24 bits of word 1 over 2^24; at most 6.8 in magnitude.
Tensor random_normal(const Operand& seed, const std::vector<Dim>& shape,
                     const std::optional<Tensor>& stream = {});

/// 0 with probability `rate`, else a / (1 - rate); drawn as random_uniform draws.
Tensor dropout(const Operand& a, double rate, const Tensor& seed,
               const std::optional<Tensor>& stream = {});

}  // namespace sinter
