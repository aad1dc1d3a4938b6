// Options become attributes.
#include "sinter/attention.h"

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

using ir::AttributeName;
using ir::Op;

Tensor attention(const Operand& q, const Tensor& k, const Tensor& v,
                 const AttentionOptions& options) {
  return attention_with_logsumexp(q, k, v, options).first;
}

std::pair<Tensor, Tensor> attention_with_logsumexp(const Operand& q, const Tensor& k,
                                                   const Tensor& v,
                                                   const AttentionOptions& options) {
  ir::Attributes attributes;
  std::vector<Tensor> others{k, v};
  std::string given;
  const auto add = [&](const char* name, const std::optional<Tensor>& tensor) {
    if (!tensor) return;
    others.push_back(*tensor);
    given += given.empty() ? name : std::string(" ") + name;
  };
  add("mask", options.mask);
  add("bias", options.bias);
  add("slopes", options.slopes);
  add("key_lengths", options.key_lengths);
  add("query_lengths", options.query_lengths);
  if (!given.empty() && given != "mask") attributes.set(AttributeName::Given, given);
  if (options.causal) attributes.set(AttributeName::Causal, true);
  if (options.scale) attributes.set(AttributeName::Scale, *options.scale);
  if (options.cap != 0) attributes.set(AttributeName::Cap, options.cap);
  if (options.window_before || options.window_after) {
    for (const auto& side : {options.window_before, options.window_after}) {
      if (!side || *side >= 0) continue;
      support::throw_user_at(q.location(), "attention: a window of {} keys; 0 at least are needed",
                             *side);
    }
    attributes.set(AttributeName::Window,
                   std::vector<std::int64_t>{options.window_before.value_or(-1),
                                             options.window_after.value_or(-1)});
  }
  const Tensor result = dsl::add_composite(Op::Attention, q, others, std::move(attributes));
  return {result, dsl::result_of(result, 1)};
}

Tensor rope(const Operand& a, const Tensor& cosines, const Tensor& sines,
            const std::string& variant) {
  return dsl::add_composite(Op::Rope, a, {cosines, sines}, {{AttributeName::Variant, variant}});
}

Tensor rope_positions(const Operand& a, const Tensor& positions, double base,
                      const std::string& variant) {
  return dsl::add_composite(Op::RopePositions, a, {positions},
                            {{AttributeName::Base, base}, {AttributeName::Variant, variant}});
}

}  // namespace sinter
