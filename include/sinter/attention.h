// Attention and rotary position encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sinter/tensor.h"

namespace sinter {

struct AttentionOptions {
  /// bool (true: is seen), or added to the scores (-inf hides): of q's dtype, or f32 beside a narrow q.
  /// Broadcasts to [..., heads, rows, keys].
  std::optional<Tensor> mask = {};
  /// Added to the scores, beside a mask; of the same shapes.
  std::optional<Tensor> bias = {};
  /// ALiBi, [..., heads], f32 for narrow q: -slope |place of the row - key| is added to the scores.
  std::optional<Tensor> slopes = {};
  /// Integers for the dimensions before heads: how many keys there are of each sequence, and how many
  /// rows; the others are not seen, and rows beyond give 0. Places count from the last of both.
  std::optional<Tensor> key_lengths = {};
  std::optional<Tensor> query_lengths = {};
  /// 1 / sqrt(d) unless given.
  std::optional<double> scale = {};
  /// Row i stands beside key i + keys - rows (the last ones coincide) and sees no later one.
  bool causal = false;
  /// How many keys before and after its own a row sees; all unless given.
  std::optional<std::int64_t> window_before = {};
  std::optional<std::int64_t> window_after = {};
  /// Scores become cap tanh(score / cap), before masks and biases; 0: they stay.
  double cap = 0;
};

/// q [..., heads, rows, d], k [..., key heads, keys, d], v [..., key heads, keys, e] -> [..., heads,
/// rows, e]; heads is a multiple of key heads. A row that mask, causal, window and lengths leave nothing
/// of gives 0.
Tensor attention(const Operand& q, const Tensor& k, const Tensor& v,
                 const AttentionOptions& options = {});
/// The same and the logsumexp of the scores, [..., heads, rows] (-inf where nothing is left), in f32 for
/// narrow floats.
std::pair<Tensor, Tensor> attention_with_logsumexp(const Operand& q, const Tensor& k,
                                                   const Tensor& v,
                                                   const AttentionOptions& options = {});

/// Pairs of the last dimension d turned by angles whose cosines and sines are given, [..., d / 2] each,
/// broadcasting against a. variant: "halves" (elements i and i + d/2) or "interleaved" (2i and 2i + 1).
Tensor rope(const Operand& a, const Tensor& cosines, const Tensor& sines,
            const std::string& variant = "halves");

/// The same with the angles position * base^(-2 i / d) of pair i, computed in f64 and turned by their
/// rest of a turn. positions: integers, [...] for the dimensions of a but its last, broadcasting.
Tensor rope_positions(const Operand& a, const Tensor& positions, double base = 10000,
                      const std::string& variant = "halves");

}  // namespace sinter
