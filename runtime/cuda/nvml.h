// The few functions of NVIDIA's management library that tell how fast a GPU runs now. Read only.
#pragma once

#include <string>

#include "runtime/device_impl.h"

namespace sinter::runtime {

/// One GPU as NVML sees it; all it says is "not known" where the library is missing.
class NvmlDevice {
 public:
  /// `pci_bus_id` as cuDeviceGetPCIBusId gives it.
  explicit NvmlDevice(const std::string& pci_bus_id);
  DeviceState state() const;

 private:
  void* handle_ = nullptr;
};

}  // namespace sinter::runtime
