// Checks the views of a call: where they lie and how.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/facts.h"
#include "sinter/device.h"
#include "sinter/tensor_view.h"

namespace sinter::runtime {

/// Where an operator's tensors have to lie.
struct DevicePlace {
  DeviceKind kind = DeviceKind::Cpu;
  std::int32_t index = 0;
  std::string id;
};

/// Checks device, dtype, rank and reach of strides, and alignment of one view; `role` is "input x" or
/// the like.
void check_view(const TensorView& view, DType dtype, const DevicePlace& place,
                const std::string& role);
/// The same for a host scalar, which lies in host memory whatever the device.
void check_host_scalar(const TensorView& view, DType dtype, const std::string& role);
/// Checks that an output view has `extents` and does not overlap itself.
void check_output(const TensorView& view, std::span<const std::int64_t> extents,
                  const std::string& role);

/// First and one-past-last byte that a view reaches; equal where it has no element.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};
ByteRange byte_range(const ir::TensorLayout& tensor, DType dtype);

}  // namespace sinter::runtime
