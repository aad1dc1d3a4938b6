#include "runtime/bind.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "support/check.h"
#include "support/counted.h"

namespace sinter::runtime {

namespace {

// Strides are the caller's: the lowest and the highest byte must have an offset of 63 bits.
void check_reach(const TensorView& view, DType dtype, const std::string& role) {
  auto low = static_cast<std::int64_t>(size_bytes(dtype));
  std::int64_t high = low;
  for (std::size_t d = 0; d < view.strides.size(); ++d) {
    std::int64_t reach = 0;
    bool overflows = __builtin_mul_overflow(view.strides[d], view.shape[d] - 1, &reach);
    overflows |=
        __builtin_mul_overflow(reach, static_cast<std::int64_t>(size_bytes(dtype)), &reach);
    std::int64_t& end = reach < 0 ? low : high;
    overflows |= __builtin_add_overflow(end, reach, &end);
    if (!overflows) continue;
    support::throw_user("{} has strides [{}] for shape [{}]; offsets must fit 63 bits", role,
                        fmt::join(view.strides, ", "), fmt::join(view.shape, ", "));
  }
}

std::string place_of(const TensorView& view) {
  if (view.device_kind == DeviceKind::Cuda) return fmt::format("cuda:{}", view.device_index);
  return view.device_index == 0 ? "cpu"
                                : fmt::format("cpu with device_index {}", view.device_index);
}

/// What has to be true of a view on any device.
void check_layout(const TensorView& view, DType dtype, const std::string& role) {
  if (view.dtype != dtype) {
    support::throw_user("{} has dtype {}; {} is needed", role, to_string(view.dtype),
                        to_string(dtype));
  }
  if (!view.strides.empty() && view.strides.size() != view.shape.size()) {
    support::throw_user("{} has {}; one a dimension ({} in all) or none is needed", role,
                        support::counted(view.strides.size(), "stride"), view.shape.size());
  }
  bool is_empty = false;
  for (const std::int64_t extent : view.shape) {
    if (extent < 0) support::throw_user("{} has the negative extent {}", role, extent);
    is_empty |= extent == 0;
  }
  if (is_empty) return;
  if (!view.data) {
    support::throw_user("{} has a null pointer; memory for shape [{}] is needed", role,
                        fmt::join(view.shape, ", "));
  }
  check_reach(view, dtype, role);
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(view.data) + view.byte_offset;
  if (address % size_bytes(dtype) != 0) {
    support::throw_user("{} starts at address {:#x}; {} needs a multiple of {} bytes", role,
                        address, to_string(dtype), size_bytes(dtype));
  }
}

}  // namespace

void check_view(const TensorView& view, DType dtype, const DevicePlace& place,
                const std::string& role) {
  if (view.device_kind != place.kind || view.device_index != place.index) {
    const bool is_cpu = place.kind == DeviceKind::Cpu && view.device_kind == DeviceKind::Cpu;
    support::throw_user("{} lies on {}; the operator was compiled for {}{}", role, place_of(view),
                        place.id, is_cpu ? ", whose device_index is 0" : "");
  }
  check_layout(view, dtype, role);
}

void check_host_scalar(const TensorView& view, DType dtype, const std::string& role) {
  if (view.device_kind != DeviceKind::Cpu) {
    support::throw_user("{} lies on {}; a host scalar lies in host memory", role, place_of(view));
  }
  check_layout(view, dtype, role);
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
