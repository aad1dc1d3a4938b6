// Context, errors, compilation. Memory is in memory.cpp, streams and timing in stream.cpp.
#include "runtime/cuda/device.h"

#include <algorithm>

#include "runtime/cuda/module.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/cuda/target.h"
#include "support/check.h"

namespace sinter::runtime {
namespace {

constexpr std::size_t kSuspects = 8;

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::vector<DeviceImpl*> open_devices(std::string& why_none) {
  std::vector<DeviceImpl*> devices;
  try {
    const DriverApi& api = driver();
    int count = 0;
    const CudaResult result = api.device_count(&count);
    if (result != cu::kSuccess) {
      why_none = "cuDeviceGetCount failed: " + describe_result(api, result);
    } else if (count == 0) {
      why_none = "the driver finds no device";
    }
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      // Never freed: streams and buffers may outlive main.
      devices.push_back(new CudaDeviceImpl(ordinal));
    }
  } catch (const RuntimeError& error) {
    // A broken device hides the later ones, so that ordinals stay those of the driver.
    if (devices.empty()) why_none = error.what();
  }
  if (devices.empty()) why_none = "no usable GPU: " + why_none;
  return devices;
}

}  // namespace

CudaDeviceImpl::CudaDeviceImpl(int ordinal) : api_(driver()), ordinal_(ordinal) {
  CudaDevice device = 0;
  char name[256] = {};
  require(api_.device_get(&device, ordinal), "cuDeviceGet");
  require(api_.device_name(name, sizeof(name), device), "cuDeviceGetName");
  char bus_id[32] = {};
  require(api_.device_bus_id(bus_id, sizeof(bus_id), device), "cuDeviceGetPCIBusId");
  bus_id_ = bus_id;
  require(api_.device_total_bytes(&total_bytes_, device), "cuDeviceTotalMem");
  require(api_.driver_version(&driver_version_), "cuDriverGetVersion");
  require(api_.retain_primary(&context_, device), "cuDevicePrimaryCtxRetain");
  name_ = name;
  target_ = read_target(api_, device);
}

DeviceState CudaDeviceImpl::state() const {
  std::call_once(nvml_once_, [this] { nvml_.emplace(bus_id_); });
  return nvml_->state();
}

std::string CudaDeviceImpl::id() const { return fmt::format("cuda:{}", ordinal_); }

std::string CudaDeviceImpl::description() const {
  return fmt::format("{}, driver {}, {}, ", name_, version_text(driver_version_), target_.arch) +
         fmt::format("{} multiprocessors", target_.units);
}

std::string CudaDeviceImpl::toolchain() const { return nvrtc_toolchain(); }

CudaDeviceImpl::Use::Use(const CudaDeviceImpl& device) {
  {
    const std::lock_guard lock(device.mutex_);
    if (!device.death_.empty()) throw RuntimeError(device.death_);
  }
  device.require(device.api_.push_context(device.context_), "cuCtxPushCurrent");
}

CudaDeviceImpl::Use::~Use() {
  CudaContext popped = nullptr;
  driver().pop_context(&popped);
}

void CudaDeviceImpl::require(CudaResult result, const std::string& what) const {
  if (result == cu::kSuccess) return;
  std::string message =
      fmt::format("{} failed on {}: {}", what, id(), describe_result(api_, result));
  if (is_sticky(result)) {
    const std::lock_guard lock(mutex_);
    message += suspects();
    if (death_.empty()) {
      death_ = fmt::format("device {} is dead since an earlier error, start the process anew: {}",
                           id(), message);
    }
  }
  throw RuntimeError(message);
}

std::string CudaDeviceImpl::suspects() const {
  std::vector<std::string> symbols;
  for (const auto& [stream, launched] : launched_) {
    for (const auto& symbol : launched) {
      if (std::find(symbols.begin(), symbols.end(), *symbol) == symbols.end()) {
        symbols.push_back(*symbol);
      }
    }
  }
  if (symbols.empty()) return "";
  std::string list;
  for (const std::string& symbol : symbols) list += (list.empty() ? "'" : ", '") + symbol + "'";
  return symbols.size() == 1 ? "; the kernel that failed: " + list
                             : "; one of these kernels failed: " + list;
}

void CudaDeviceImpl::note_launch(CudaStream stream,
                                 const std::shared_ptr<const std::string>& symbol) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const std::string>>& launched = launched_[stream];
  if (std::find(launched.begin(), launched.end(), symbol) != launched.end()) return;
  if (launched.size() == kSuspects) launched.erase(launched.begin());
  launched.push_back(symbol);
}

Binary CudaDeviceImpl::compile(const codegen::Program& program) {
  support::check(program.sources.size() == 1 && program.sources[0].language == "cuda",
                 "a CUDA program has one source of language cuda, this one {} sources",
                 program.sources.size());
  CubinAndLog compiled = compile_to_cubin(program.sources[0], target_.arch);
  return {std::move(compiled.cubin), std::move(compiled.log)};
}

std::shared_ptr<LoadedProgram> CudaDeviceImpl::load(const codegen::Program& program,
                                                    const Binary& binary) {
  return std::make_shared<CudaProgram>(*this, program, binary);
}

std::vector<DeviceImpl*> cuda_devices(std::string* why_none) {
  static std::string reason;
  static const std::vector<DeviceImpl*> devices = open_devices(reason);
  if (why_none) *why_none = reason;
  return devices;
}

}  // namespace sinter::runtime
