// The tensors that probes read and write.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/device_impl.h"

namespace sinter::runtime {

/// `bytes` of random numbers in [-1, 1), elements of `dtype`.
struct ProbeTensor {
  std::string name;
  std::int64_t bytes = 0;
  ir::DType dtype = ir::DType::F32;
};

/// Tensors in the memory of a device, each `rotation` times.
class ProbeMemory {
 public:
  /// EnvironmentError where memory is short.
  ProbeMemory(DeviceImpl& device, std::vector<ProbeTensor> tensors, std::int64_t rotation);
  ~ProbeMemory();
  ProbeMemory(const ProbeMemory&) = delete;
  ProbeMemory& operator=(const ProbeMemory&) = delete;

  const std::vector<ProbeTensor>& tensors() const { return tensors_; }
  std::int64_t rotation() const { return rotation_; }
  ir::CallNames names() const;
  /// In the order of tensors().
  std::vector<ir::TensorLayout> at(std::int64_t set) const;

 private:
  void fill(const ProbeTensor& tensor, std::span<void* const> memories);

  DeviceImpl& device_;
  std::vector<ProbeTensor> tensors_;
  std::int64_t rotation_;
  std::vector<void*> blocks_;  // by tensor and set
};

}  // namespace sinter::runtime
