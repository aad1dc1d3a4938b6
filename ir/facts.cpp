// Facts: order, text, and the check of a call against them by name. What each demands:
// fact_predicates.cpp.
#include "ir/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "support/check.h"

namespace sinter::ir {

namespace {

const BoundTensor& tensor_of(const Fact& fact, const CallFacts& call) {
  for (const BoundTensor& tensor : call.tensors) {
    if (tensor.param == fact.param) return tensor;
  }
  support::throw_internal("{} is to be checked, but the call binds no tensor {}", to_string(fact),
                          fact.param);
}

std::string describe(const BoundTensor& tensor) {
  return fmt::format("{} has extents [{}] and strides [{}]", tensor.param,
                     fmt::join(tensor.extents, ", "), fmt::join(tensor.strides, ", "));
}

/// Nullopt where the fact on an expression of sizes holds, else the value found.
std::optional<std::string> find_size_mismatch(const Fact& fact, const CallFacts& call) {
  const std::int64_t value = evaluate(fact.expr, {.sizes = call.sizes, .axis = {}, .value = {}});
  if (holds_for_size(fact, value)) return std::nullopt;
  return fmt::format("{} = {}", to_string(fact.expr), value);
}

std::optional<std::string> find_tensor_mismatch(const Fact& fact, const CallFacts& call) {
  const BoundTensor& tensor = tensor_of(fact, call);
  if (holds_for_tensor(fact, tensor.layout())) return std::nullopt;
  if (fact.kind != FactKind::Aligned) return describe(tensor);
  return fmt::format("{} lies {} bytes past a multiple", fact.param,
                     tensor.address % static_cast<std::uint64_t>(fact.low));
}

}  // namespace

std::strong_ordering operator<=>(const Fact& a, const Fact& b) {
  return std::tie(a.kind, a.expr, a.param, a.low, a.high) <=>
         std::tie(b.kind, b.expr, b.param, b.low, b.high);
}

Fact Fact::equal(IndexExpr expr, std::int64_t value) {
  return {.kind = FactKind::Equal, .expr = std::move(expr), .param = "", .low = value};
}

Fact Fact::divisible(IndexExpr expr, std::int64_t divisor) {
  support::check(divisor > 0, "a fact divides by {}", divisor);
  return {.kind = FactKind::Divisible, .expr = std::move(expr), .param = "", .low = divisor};
}

Fact Fact::range(IndexExpr expr, std::int64_t low, std::int64_t high) {
  return {.kind = FactKind::Range, .expr = std::move(expr), .param = "", .low = low, .high = high};
}

Fact Fact::contiguous(std::string param) {
  return {.kind = FactKind::Contiguous, .expr = 0, .param = std::move(param)};
}

Fact Fact::stride(std::string param, std::int64_t dimension, std::int64_t stride) {
  return {.kind = FactKind::Stride,
          .expr = 0,
          .param = std::move(param),
          .low = dimension,
          .high = stride};
}

Fact Fact::stride_multiple(std::string param, std::int64_t dimension, std::int64_t divisor) {
  support::check(divisor > 0, "a fact makes a stride of {} a multiple of {}", param, divisor);
  return {.kind = FactKind::StrideMultiple,
          .expr = 0,
          .param = std::move(param),
          .low = dimension,
          .high = divisor};
}

Fact Fact::aligned(std::string param, std::int64_t bytes) {
  support::check(bytes > 0, "a fact aligns {} to {} bytes", param, bytes);
  return {.kind = FactKind::Aligned, .expr = 0, .param = std::move(param), .low = bytes};
}

Fact Fact::offsets32(std::string param) {
  return {.kind = FactKind::Offsets32, .expr = 0, .param = std::move(param)};
}

std::string to_string(const Fact& fact) {
  const std::string expr = to_string(fact.expr);
  switch (fact.kind) {
    case FactKind::Equal: return fmt::format("{} = {}", expr, fact.low);
    case FactKind::Divisible: return fmt::format("{} % {} = 0", expr, fact.low);
    case FactKind::Range: return fmt::format("{} <= {} <= {}", fact.low, expr, fact.high);
    case FactKind::Contiguous: return fmt::format("contiguous({})", fact.param);
    case FactKind::Stride:
      return fmt::format("stride({}, {}) = {}", fact.param, fact.low, fact.high);
    case FactKind::StrideMultiple:
      return fmt::format("stride({}, {}) = {}*k", fact.param, fact.low, fact.high);
    case FactKind::Aligned: return fmt::format("align({}) = {}", fact.param, fact.low);
    case FactKind::Offsets32: return fmt::format("offsets32({})", fact.param);
  }
  support::throw_internal("fact of kind {} has no text", static_cast<int>(fact.kind));
}

Facts::Facts(std::vector<Fact> facts) {
  for (Fact& fact : facts) add(std::move(fact));
}

void Facts::add(Fact fact) {
  const auto place = std::lower_bound(list_.begin(), list_.end(), fact);
  if (place == list_.end() || *place != fact) list_.insert(place, std::move(fact));
}

bool Facts::has_all(std::span<const Fact> facts) const {
  return std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) { return has(fact); });
}

bool Facts::has(const Fact& fact) const {
  return std::binary_search(list_.begin(), list_.end(), fact);
}

std::optional<std::int64_t> Facts::stride(const std::string& param, std::int64_t dimension) const {
  for (const Fact& fact : list_) {
    if (fact.kind == FactKind::Stride && fact.param == param && fact.low == dimension) {
      return fact.high;
    }
  }
  return std::nullopt;
}

std::int64_t Facts::alignment(const std::string& param) const {
  std::int64_t bytes = 1;
  for (const Fact& fact : list_) {
    if (fact.kind == FactKind::Aligned && fact.param == param) bytes = std::max(bytes, fact.low);
  }
  return bytes;
}

std::string to_string(const Facts& facts) {
  std::vector<std::string> texts;
  for (const Fact& fact : facts.list()) texts.push_back(to_string(fact));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::optional<std::string> find_mismatch(const Facts& facts, const CallFacts& call) {
  for (const Fact& fact : facts.list()) {
    const auto found =
        is_about_sizes(fact) ? find_size_mismatch(fact, call) : find_tensor_mismatch(fact, call);
    if (found) return fmt::format("{} does not hold: {}", to_string(fact), *found);
  }
  return std::nullopt;
}

std::vector<std::int64_t> contiguous_strides(std::span<const std::int64_t> extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i-- > 1;) {
    const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(extents[i], 1));
    // Unsigned, so that the strides of an empty tensor with huge other extents may wrap.
    strides[i - 1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(strides[i]) * extent);
  }
  return strides;
}

}  // namespace sinter::ir
