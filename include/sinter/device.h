// Devices, streams and buffers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sinter/tensor_view.h"

namespace sinter {

namespace runtime {
class DeviceImpl;
}

class Stream;
class Buffer;

/// A GPU or the CPU. Cheap to copy.
class Device {
 public:
  /// cuda:0 where there is a usable one, else the CPU.
  static Device best();
  static Device cpu();
  /// EnvironmentError "no usable GPU: <reason>" where there is none, or no such index.
  static Device cuda(int index = 0);
  /// "cpu", "gpu" (the first GPU), "cuda:1", "best". UserError for any other text.
  static Device parse(const std::string& text);
  /// Every device that can be used, GPUs first.
  static std::vector<Device> all();
  /// Why there is no usable GPU; empty where there is one.
  static std::string why_no_gpu();

  DeviceKind kind() const;
  int index() const;
  /// "cuda:0", "cpu".
  std::string id() const;
  /// Model, driver and size, for people.
  std::string description() const;
  std::size_t total_bytes() const;
  std::size_t free_bytes() const;

  /// A new stream of its own. On the CPU streams do their work at once.
  Stream make_stream() const;
  /// Memory on the device, 256-byte aligned, uninitialized. EnvironmentError when it is short.
  Buffer allocate(std::size_t size_bytes) const;

  runtime::DeviceImpl& impl() const { return *impl_; }
  friend bool operator==(const Device&, const Device&) = default;

 private:
  explicit Device(runtime::DeviceImpl* impl) : impl_(impl) {}
  runtime::DeviceImpl* impl_;
};

/// An ordered queue of work on one device. Owned streams are drained and freed with the object;
/// wrapped ones (a CUstream of the caller's) are left alone.
class Stream {
 public:
  static Stream wrap(const Device& device, void* native);
  /// Blocks until all work in it is done.
  void synchronize() const;
  void* native() const { return native_; }
  const Device& device() const { return device_; }
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&&) = delete;

 private:
  friend class Device;
  Stream(Device device, void* native, bool owned)
      : device_(device), native_(native), owned_(owned) {}
  Device device_;
  void* native_;
  bool owned_;
};

/// Owned device memory, freed with the object.
class Buffer {
 public:
  void* data() const { return data_; }
  std::size_t size_bytes() const { return size_bytes_; }
  void copy_in(const void* host, std::size_t size_bytes);
  void copy_out(void* host, std::size_t size_bytes) const;
  /// A dense row-major view of this memory. UserError where it is too small.
  TensorView view(DType dtype, std::vector<std::int64_t> shape) const;
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

 private:
  friend class Device;
  Buffer(Device device, void* data, std::size_t size_bytes)
      : device_(device), data_(data), size_bytes_(size_bytes) {}
  Device device_;
  void* data_;
  std::size_t size_bytes_;
};

}  // namespace sinter
