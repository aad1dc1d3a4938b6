// The tensors of a call as a kernel sees them that takes dimensions in the order in which they lie in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codegen/permute_kernel.h"
#include "ir/facts.h"

namespace sinter::runtime {

/// Appends the order of the tensor's dimensions from the farthest step in memory to the nearest, whatever its
/// direction. Dimensions that no step is taken along (of extent 1 or stride 0) stay where they are, and so do
/// all of a tensor without elements.
void append_memory_order(const ir::TensorLayout& tensor, codegen::DimensionOrders& orders);

/// Memory that is used again by later calls.
class PermutedTensors {
 public:
  /// All of the call's tensors; room for permuting some that have `dimensions` in all.
  void assign(std::span<const ir::TensorLayout> tensors, std::size_t dimensions);
  void permute(std::size_t tensor, std::span<const std::uint8_t> order);
  std::span<const ir::TensorLayout> list() const { return tensors_; }

 private:
  std::vector<ir::TensorLayout> tensors_;
  std::vector<std::int64_t> numbers_;  // extents and strides of the permuted ones
};

}  // namespace sinter::runtime
