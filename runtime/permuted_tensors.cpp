#include "runtime/permuted_tensors.h"

#include <algorithm>

namespace sinter::runtime {

namespace {

std::uint64_t magnitude(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? 0 - bits : bits;
}

}  // namespace

void append_memory_order(const ir::TensorLayout& tensor, codegen::DimensionOrders& orders) {
  const std::size_t rank = tensor.extents.size();
  const std::size_t first = orders.size();
  for (std::size_t d = 0; d < rank; ++d) orders.push_back(static_cast<std::uint8_t>(d));
  if (std::ranges::find(tensor.extents, 0) != tensor.extents.end()) return;
  const auto has_step = [&](std::size_t place) {
    return tensor.extents[place] > 1 && tensor.strides[place] != 0;
  };
  const auto step = [&](std::size_t place) {
    return magnitude(tensor.strides[orders[first + place]]);
  };
  // Stable, and few: each sinks past the nearer ones, over those without a step.
  for (std::size_t next = 0; next < rank; ++next) {
    std::size_t at = next;
    for (std::size_t place = next; has_step(next) && place-- > 0;) {
      if (!has_step(place)) continue;
      if (step(place) >= step(at)) break;
      std::swap(orders[first + place], orders[first + at]);
      at = place;
    }
  }
}

void PermutedTensors::assign(std::span<const ir::TensorLayout> tensors, std::size_t dimensions) {
  tensors_.assign(tensors.begin(), tensors.end());
  numbers_.clear();
  numbers_.reserve(2 * dimensions);  // spans into it stay
}

void PermutedTensors::permute(std::size_t tensor, std::span<const std::uint8_t> order) {
  ir::TensorLayout& layout = tensors_[tensor];
  const auto append = [&](std::span<const std::int64_t> given) {
    const std::size_t first = numbers_.size();
    for (const std::uint8_t dimension : order) numbers_.push_back(given[dimension]);
    return std::span<const std::int64_t>(numbers_).subspan(first);
  };
  layout.extents = append(layout.extents);
  layout.strides = append(layout.strides);
}

}  // namespace sinter::runtime
