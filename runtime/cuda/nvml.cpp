// Values and signatures: NVML API reference, nvmlClocksEventReasons and nvmlClockType.
#include "runtime/cuda/nvml.h"

#include <optional>

#include "runtime/cuda/shared_library.h"
#include "sinter/error.h"

namespace sinter::runtime {

namespace {

constexpr int kNvmlSuccess = 0;
constexpr int kSmClock = 1;
constexpr unsigned long long kSwPowerCap = 0x4;
constexpr unsigned long long kHwSlowdown = 0x8;
constexpr unsigned long long kSwThermal = 0x20;
constexpr unsigned long long kHwThermal = 0x40;
constexpr unsigned long long kHwPowerBrake = 0x80;

struct NvmlApi {
  int (*init)() = nullptr;
  int (*handle_by_bus_id)(const char* bus_id, void** handle) = nullptr;
  int (*clock_mhz)(void* handle, int kind, unsigned* mhz) = nullptr;
  int (*clock_reasons)(void* handle, unsigned long long* reasons) = nullptr;
};

std::optional<NvmlApi> load_nvml() {
  try {
    const SharedLibrary library = SharedLibrary::open("NVML", {"libnvidia-ml.so.1"});
    NvmlApi api;
    library.find("nvmlInit_v2", api.init);
    library.find("nvmlDeviceGetHandleByPciBusId_v2", api.handle_by_bus_id);
    library.find("nvmlDeviceGetClockInfo", api.clock_mhz);
    // The older of its two names, which all drivers have.
    library.find("nvmlDeviceGetCurrentClocksThrottleReasons", api.clock_reasons);
    if (api.init() == kNvmlSuccess) return api;
  } catch (const EnvironmentError&) {
    // Nothing depends on it: clocks are reported as not known.
  }
  return std::nullopt;
}

const std::optional<NvmlApi>& nvml() {
  static const std::optional<NvmlApi> api = load_nvml();
  return api;
}

}  // namespace

NvmlDevice::NvmlDevice(const std::string& pci_bus_id) {
  void* handle = nullptr;
  if (nvml() && nvml()->handle_by_bus_id(pci_bus_id.c_str(), &handle) == kNvmlSuccess)
    handle_ = handle;
}

DeviceState NvmlDevice::state() const {
  DeviceState state;
  if (handle_ == nullptr) return state;
  unsigned mhz = 0;
  if (nvml()->clock_mhz(handle_, kSmClock, &mhz) == kNvmlSuccess) state.clock_mhz = mhz;
  unsigned long long reasons = 0;
  if (nvml()->clock_reasons(handle_, &reasons) != kNvmlSuccess) return state;
  state.is_hot = (reasons & (kSwThermal | kHwThermal)) != 0;
  state.is_braked = (reasons & (kHwSlowdown | kHwPowerBrake)) != 0;
  state.is_power_capped = (reasons & kSwPowerCap) != 0;
  return state;
}

}  // namespace sinter::runtime
