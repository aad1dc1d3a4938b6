// Attention and rotary position encoding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sinter/tensor.h"

namespace sinter {

struct AttentionOptions {
  /// bool (true: is seen) or of q's dtype (added to the scores; -inf hides); broadcasts to
  /// [..., heads, rows, keys].
  std::optional<Tensor> mask = {};
  /// 1 / sqrt(d) unless given.
  std::optional<double> scale = {};
  /// Row i stands beside key i + keys - rows (the last ones coincide) and sees no later one.
  bool causal = false;
  /// How many keys before and after its own a row sees; all unless given.
  std::optional<std::int64_t> window_before = {};
  std::optional<std::int64_t> window_after = {};
  /// Scores become cap tanh(score / cap); 0: they stay.
  double cap = 0;
};

/// q [..., heads, rows, d], k [..., key heads, keys, d], v [..., key heads, keys, e] -> [..., heads,
/// rows, e]; heads is a multiple of key heads. A row that mask, causal and window leave nothing of
/// gives 0.
Tensor attention(const Operand& q, const Tensor& k, const Tensor& v,
                 const AttentionOptions& options = {});
/// The same and the logsumexp of the scores, [..., heads, rows] (-inf where nothing is left).
std::pair<Tensor, Tensor> attention_with_logsumexp(const Operand& q, const Tensor& k,
                                                   const Tensor& v,
                                                   const AttentionOptions& options = {});

/// Pairs of the last dimension d turned by angles whose cosines and sines are given, [..., d / 2] each,
/// broadcasting against a. variant: "halves" (elements i and i + d/2) or "interleaved" (2i and 2i + 1).
Tensor rope(const Operand& a, const Tensor& cosines, const Tensor& sines,
            const std::string& variant = "halves");

}  // namespace sinter
