#include "runtime/tensor_layouts.h"

#include <algorithm>

namespace sinter::runtime {

std::span<const std::int64_t> append_dense_strides(std::span<const std::int64_t> extents,
                                                   std::vector<std::int64_t>& numbers) {
  const std::size_t first = numbers.size();
  numbers.resize(first + extents.size());
  // Unsigned, so that the strides of an empty tensor with huge other extents may wrap.
  std::uint64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    numbers[first + d] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(std::max<std::int64_t>(extents[d], 1));
  }
  return std::span(numbers).subspan(first);
}

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

void SeenTensors::clear(std::size_t dimensions) {
  tensors_.clear();
  numbers_.clear();
  numbers_.reserve(2 * dimensions);  // spans into it stay
}

void SeenTensors::add_permuted(const ir::TensorLayout& tensor,
                               std::span<const std::uint8_t> order) {
  const auto append = [&](std::span<const std::int64_t> given) {
    const std::size_t first = numbers_.size();
    for (const std::uint8_t dimension : order) numbers_.push_back(given[dimension]);
    return std::span<const std::int64_t>(numbers_).subspan(first);
  };
  const auto extents = append(tensor.extents);
  tensors_.push_back({tensor.address, extents, append(tensor.strides)});
}

void SeenTensors::add_dense(std::uint64_t address, std::span<const ir::FlatExpr> extents,
                            std::span<const std::int64_t> sizes) {
  const std::size_t first = numbers_.size();
  for (const ir::FlatExpr& extent : extents) numbers_.push_back(extent.evaluate(sizes));
  const std::span<const std::int64_t> numbers = std::span(numbers_).subspan(first);
  tensors_.push_back({address, numbers, append_dense_strides(numbers, numbers_)});
}

}  // namespace sinter::runtime
