// What each fact demands of a number or of a tensor's layout. Nothing here allocates: calls run it.
#include <algorithm>

#include "ir/facts.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

bool is_empty(const TensorLayout& tensor) { return std::ranges::count(tensor.extents, 0) > 0; }

bool is_dense(const TensorLayout& tensor) {
  if (is_empty(tensor)) return true;
  std::uint64_t dense = 1;
  for (std::size_t i = tensor.extents.size(); i-- > 0;) {
    const std::int64_t extent = tensor.extents[i];
    if (extent != 1 && tensor.strides[i] != static_cast<std::int64_t>(dense)) return false;
    dense *= static_cast<std::uint64_t>(extent);
  }
  return true;
}

std::size_t dimension_of(const Fact& fact, const TensorLayout& tensor) {
  const auto d = static_cast<std::size_t>(fact.low);
  support::check(d < tensor.extents.size(), "{} has {} dimensions, a fact names dimension {}",
                 fact.param, tensor.extents.size(), fact.low);
  return d;
}

bool has_stride(const Fact& fact, const TensorLayout& tensor) {
  const std::size_t d = dimension_of(fact, tensor);
  return tensor.extents[d] <= 1 || tensor.strides[d] == fact.high;
}

bool has_stride_multiple(const Fact& fact, const TensorLayout& tensor) {
  const std::int64_t stride = tensor.strides[dimension_of(fact, tensor)];
  return stride > 0 && stride < std::int64_t{1} << 36 && stride % fact.high == 0;
}

/// Offsets are lowest where all negative strides, and highest where all positive ones, are at their
/// last index.
bool has_small_offsets(const TensorLayout& tensor) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 31;
  if (is_empty(tensor)) return true;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(tensor.extents[i] - 1, tensor.strides[i], &reach)) return false;
    std::int64_t& bound = reach < 0 ? lowest : highest;
    if (__builtin_add_overflow(bound, reach, &bound)) return false;
  }
  return lowest > -kLimit && highest < kLimit;
}

}  // namespace

bool is_about_sizes(const Fact& fact) {
  return fact.kind == FactKind::Equal || fact.kind == FactKind::Divisible ||
         fact.kind == FactKind::Range;
}

bool holds_for_size(const Fact& fact, std::int64_t value) {
  if (fact.kind == FactKind::Equal) return value == fact.low;
  if (fact.kind == FactKind::Divisible) return value % fact.low == 0;
  if (fact.kind == FactKind::Range) return fact.low <= value && value <= fact.high;
  support::throw_internal("{} is not about sizes", to_string(fact));
}

bool holds_for_tensor(const Fact& fact, const TensorLayout& tensor) {
  switch (fact.kind) {
    case FactKind::Contiguous: return is_dense(tensor);
    case FactKind::Stride: return has_stride(fact, tensor);
    case FactKind::StrideMultiple: return has_stride_multiple(fact, tensor);
    case FactKind::Aligned: return tensor.address % static_cast<std::uint64_t>(fact.low) == 0;
    case FactKind::Offsets32: return has_small_offsets(tensor);
    case FactKind::Equal:
    case FactKind::Divisible:
    case FactKind::Range: break;
  }
  support::throw_internal("{} is not about a tensor", to_string(fact));
}

}  // namespace sinter::ir
