// Views over the caller's own memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
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

/// The dtype of a C++ number of this type.
template <typename T>
requires std::is_arithmetic_v<T>
constexpr DType dtype_of() {
  static_assert(!std::is_same_v<T, long double>, "no dtype is long double");
  if (std::is_same_v<T, bool>) return DType::Bool;
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? DType::F32 : DType::F64;
  if (std::is_signed_v<T>) {
    return sizeof(T) == 1   ? DType::I8
           : sizeof(T) == 2 ? DType::I16
           : sizeof(T) == 4 ? DType::I32
                            : DType::I64;
  }
  return sizeof(T) == 1   ? DType::U8
         : sizeof(T) == 2 ? DType::U16
         : sizeof(T) == 4 ? DType::U32
                          : DType::U64;
}

/// The argument for a host scalar: a view of `number`, of rank 0. It is read before run() returns.
template <typename T>
requires std::is_arithmetic_v<T> TensorView scalar_view(const T& number) {
  TensorView view;
  view.data = const_cast<T*>(&number);
  view.dtype = dtype_of<T>();
  return view;
}
/// A view outlives a temporary; name the number.
template <typename T>
requires std::is_arithmetic_v<T> TensorView scalar_view(const T&& number)
= delete;

}  // namespace sinter
