// How callers lay tensors out in memory, beside row after row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::bench {

enum class Layout {
  Contiguous,
  Sliced,  // rows with a pitch of one element more, the first one element after an aligned address
  Transposed,  // the last two dimensions swapped: the last but one is the dense one
  Expanded,    // one row, seen in every row
  Reversed,    // backwards along the last dimension
};

/// Contiguous first.
std::vector<Layout> all_layouts();
std::string to_string(Layout layout);

/// In elements.
struct Placement {
  std::vector<std::int64_t> strides;
  std::int64_t lead = 0;  // those before the element with index 0 everywhere
  std::int64_t span = 0;  // from the first byte to the last element reached
};

/// Tensors with fewer than two dimensions are contiguous in every layout.
Placement place(Layout layout, const std::vector<std::int64_t>& shape);

}  // namespace sinter::bench
