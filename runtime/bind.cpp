#include "runtime/bind.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "support/check.h"

namespace sinter::runtime {

void check_view(const TensorView& view, DType dtype, const DevicePlace& place,
                const std::string& role) {
  if (view.dtype != dtype) {
    support::throw_user("{} has dtype {}; {} is needed", role, to_string(view.dtype),
                        to_string(dtype));
  }
  if (view.device_kind != place.kind || view.device_index != place.index) {
    const std::string given = view.device_kind == DeviceKind::Cuda
                                  ? fmt::format("cuda:{}", view.device_index)
                                  : std::string("cpu");
    support::throw_user("{} lies on {}; the operator was compiled for {}", role, given, place.id);
  }
  if (!view.strides.empty() && view.strides.size() != view.shape.size()) {
    support::throw_user("{} has {} strides for rank {}", role, view.strides.size(),
                        view.shape.size());
  }
  bool is_empty = false;
  for (const std::int64_t extent : view.shape) {
    if (extent < 0) support::throw_user("{} has the negative extent {}", role, extent);
    is_empty |= extent == 0;
  }
  if (is_empty) return;
  if (!view.data) support::throw_user("{} has a null pointer", role);
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(view.data) + view.byte_offset;
  if (address % size_bytes(dtype) != 0) {
    support::throw_user("{} starts at address {:#x}; {} needs a multiple of {} bytes", role,
                        address, to_string(dtype), size_bytes(dtype));
  }
}

void check_output(const TensorView& view, std::span<const std::int64_t> extents,
                  const std::string& role) {
  if (!std::ranges::equal(view.shape, extents)) {
    support::throw_user("{} has shape [{}]; [{}] is needed", role, fmt::join(view.shape, ", "),
                        fmt::join(extents, ", "));
  }
  if (view.strides.empty() || std::find(extents.begin(), extents.end(), 0) != extents.end()) {
    return;
  }
  // Sorted by stride, each dimension must step over all that the smaller ones reach.
  struct Step {
    std::int64_t stride, extent;
  };
  fmt::basic_memory_buffer<Step, 8> dims;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] > 1) dims.push_back({std::abs(view.strides[d]), extents[d]});
  }
  std::sort(dims.begin(), dims.end(),
            [](const Step& a, const Step& b) { return a.stride < b.stride; });
  std::int64_t reach = 0;
  for (const auto& [stride, extent] : dims) {
    if (stride <= reach) {
      support::throw_user("{} overlaps itself: shape [{}] with strides [{}]", role,
                          fmt::join(extents, ", "), fmt::join(view.strides, ", "));
    }
    reach += stride * (extent - 1);
  }
}

ByteRange byte_range(const ir::TensorLayout& tensor, DType dtype) {
  std::int64_t low = 0;
  std::int64_t high = 1;
  for (std::size_t d = 0; d < tensor.extents.size(); ++d) {
    if (tensor.extents[d] == 0) return {tensor.address, tensor.address};
    const std::int64_t span = tensor.strides[d] * (tensor.extents[d] - 1);
    (span < 0 ? low : high) += span;
  }
  const auto element = static_cast<std::int64_t>(size_bytes(dtype));
  return {tensor.address + static_cast<std::uint64_t>(low * element),
          tensor.address + static_cast<std::uint64_t>(high * element)};
}

}  // namespace sinter::runtime
