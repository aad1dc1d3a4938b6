// How the tensors of a call lie in memory, and how kernels see them that take dimensions in the order in which
// they lie there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codegen/permute_kernel.h"
#include "ir/facts.h"
#include "ir/flat_expr.h"

namespace sinter::runtime {

/// Appends the row-major strides of dense extents; the result are those.
std::span<const std::int64_t> append_dense_strides(std::span<const std::int64_t> extents,
                                                   std::vector<std::int64_t>& numbers);

/// Appends the order of the tensor's dimensions from the farthest step in memory to the nearest, whatever its
/// direction. Dimensions that no step is taken along (of extent 1 or stride 0) stay where they are, and so do
/// all of a tensor without elements.
void append_memory_order(const ir::TensorLayout& tensor, codegen::DimensionOrders& orders);

/// A list of tensors that owns their extents and strides; memory that is used again by later calls.
class SeenTensors {
 public:
  /// Empties the list; room for tensors that have `dimensions` in all.
  void clear(std::size_t dimensions);
  void add_permuted(const ir::TensorLayout& tensor, std::span<const std::uint8_t> order);
  void add_dense(std::uint64_t address, std::span<const ir::FlatExpr> extents,
                 std::span<const std::int64_t> sizes);
  std::span<const ir::TensorLayout> list() const { return tensors_; }

 private:
  std::vector<ir::TensorLayout> tensors_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace sinter::runtime
