// Rates are computed from clocks and widths, so that a device always gives the same figures.
#include "runtime/cuda/target.h"

#include <cmath>

#include <fmt/format.h>

namespace sinter::runtime {
namespace {

/// f32 multiply-adds a multiprocessor and clock: CUDA C++ programming guide, arithmetic throughput.
int fma_lanes(int major, int minor) {
  if (major == 8 && minor == 0) return 64;
  return major >= 8 ? 128 : 64;
}

}  // namespace

codegen::Target read_target(const DriverApi& api, CudaDevice device) {
  const auto attribute = [&](int which) {
    int value = 0;
    return api.device_attribute(&value, which, device) == cu::kSuccess ? value : 0;
  };
  const int major = attribute(cu::kComputeCapabilityMajor);
  const int minor = attribute(cu::kComputeCapabilityMinor);
  const char* suffix = major >= 9 ? "a" : "";

  // Figures of a usual device stand in for attributes that a driver does not tell.
  codegen::Target target = codegen::make_cuda_target("sm_90a");
  target.arch = fmt::format("sm_{}{}{}", major, minor, suffix);
  target.units = attribute(cu::kMultiprocessorCount);
  target.shared_bytes = attribute(cu::kMaxSharedBytesOptIn);
  const double memory_khz = attribute(cu::kMemoryClockRateKhz);
  const double bus_bytes = attribute(cu::kMemoryBusWidthBits) / 8.0;
  const double clock_khz = attribute(cu::kClockRateKhz);
  // Two transfers a clock.
  if (memory_khz > 0) target.memory_gb_per_s = std::round(2 * memory_khz * bus_bytes / 1e6);
  if (clock_khz > 0) {
    const double lanes = static_cast<double>(target.units) * fma_lanes(major, minor);
    target.fma_gflop_per_s = std::round(2 * lanes * clock_khz / 1e6);
  }
  return target;
}

}  // namespace sinter::runtime
