// Views over the caller's own memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "sinter/dtype.h"

namespace sinter {

/// Where memory lives. Values as in DLPack's DLDeviceType (kDLCPU 1, kDLCUDA 2).
enum class DeviceKind : std::int32_t { Cpu = 1, Cuda = 2 };

/// A tensor in the caller's memory; Sinter never owns or frees it. The fields are DLPack's. The
/// element with index (i0, i1, ...) lies at data + byte_offset + (i0*strides[0] + ...) * size of
/// dtype.
struct TensorView {
  void* data = nullptr;
  DeviceKind device_kind = DeviceKind::Cpu;
  std::int32_t device_index = 0;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  /// In elements; may be 0 or negative. Empty means row-major and dense.
  std::vector<std::int64_t> strides;
  std::uint64_t byte_offset = 0;
};

}  // namespace sinter
