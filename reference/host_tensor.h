// A tensor in host memory, as the reference reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/element.h"

namespace sinter::reference {

/// A view of host memory that somebody else owns. Strides are in elements and may be 0 or negative;
/// empty strides mean row-major and dense. `data` is the element with index 0 everywhere and may
/// be misaligned for its type.
struct HostTensor {
  ir::DType dtype = ir::DType::F32;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  const void* data = nullptr;
};

/// Product of the extents.
std::int64_t count_elements(std::span<const std::int64_t> extents);
/// Index of each dimension of row-major element `flat`.
std::vector<std::int64_t> unravel_index(std::span<const std::int64_t> extents, std::int64_t flat);

/// "[2, 3]".
std::string extents_text(std::span<const std::int64_t> extents);

/// The element with row-major number `flat`, exact.
Element load_element(const HostTensor& tensor, std::int64_t flat);
/// The element of `dtype` at `address`, exact. Any alignment.
Element decode_element(ir::DType dtype, const void* address);

}  // namespace sinter::reference
