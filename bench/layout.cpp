#include "bench/layout.h"

#include <algorithm>
#include <utility>

#include "ir/facts.h"
#include "support/check.h"

namespace sinter::bench {

std::vector<Layout> all_layouts() {
  return {Layout::Contiguous, Layout::Sliced, Layout::Transposed, Layout::Expanded,
          Layout::Reversed};
}

std::string to_string(Layout layout) {
  switch (layout) {
    case Layout::Contiguous: return "contiguous";
    case Layout::Sliced: return "sliced";
    case Layout::Transposed: return "transposed";
    case Layout::Expanded: return "expanded";
    case Layout::Reversed: return "reversed";
  }
  support::throw_internal("no such layout");
}

Placement place(Layout layout, const std::vector<std::int64_t>& shape) {
  Placement placement;
  placement.strides = ir::contiguous_strides(shape);
  const std::size_t rank = shape.size();
  if (rank < 2) layout = Layout::Contiguous;
  std::vector<std::int64_t>& strides = placement.strides;
  switch (layout) {
    case Layout::Contiguous: break;
    case Layout::Sliced: {
      std::vector<std::int64_t> padded = shape;
      ++padded.back();
      strides = ir::contiguous_strides(padded);
      placement.lead = 1;
      break;
    }
    case Layout::Transposed: {
      std::vector<std::int64_t> swapped = shape;
      std::swap(swapped[rank - 1], swapped[rank - 2]);
      strides = ir::contiguous_strides(swapped);
      std::swap(strides[rank - 1], strides[rank - 2]);
      break;
    }
    case Layout::Expanded: std::fill(strides.begin(), strides.end() - 1, 0); break;
    case Layout::Reversed:
      strides.back() = -1;
      placement.lead = shape.back() - 1;
      break;
  }
  placement.span = placement.lead + 1;
  for (std::size_t d = 0; d < rank; ++d) {
    placement.span +=
        std::max<std::int64_t>(shape[d] - 1, 0) * std::max<std::int64_t>(strides[d], 0);
  }
  return placement;
}

}  // namespace sinter::bench
