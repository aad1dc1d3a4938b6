// Targets with the figures of usual devices.
#include "codegen/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "support/check.h"

namespace sinter::codegen {

namespace {

struct CudaArch {
  std::string_view name;
  int units;
  std::int64_t shared_kib;  // that a block may opt into
  double memory_gb_per_s;
  double fma_gflop_per_s;
  double product_gflop_per_s;  // of 16-bit floats, dense, f32 accumulators; 0: not stated
};

/// Shared memory: CUDA C++ Programming Guide, table of technical specifications per compute
/// capability. Rates: the vendor's data sheet of the device named.
constexpr CudaArch kCudaArchs[] = {
    {"sm_70", 80, 96, 900, 15700, 125000},        // V100 SXM2
    {"sm_75", 40, 64, 320, 8100, 65000},          // T4
    {"sm_80", 108, 163, 2039, 19500, 312000},     // A100 SXM 80 GB
    {"sm_86", 82, 99, 936, 35600, 71000},         // GeForce RTX 3090
    {"sm_87", 16, 163, 204, 5300, 0},             // Jetson AGX Orin
    {"sm_89", 142, 99, 864, 91600, 362000},       // L40S
    {"sm_90", 132, 227, 4800, 67000, 989000},     // H200 SXM, portable code
    {"sm_90a", 132, 227, 4800, 67000, 989000},    // H200 SXM
    {"sm_100", 148, 227, 8000, 75000, 2250000},   // B200, portable code
    {"sm_100a", 148, 227, 8000, 75000, 2250000},  // B200
    {"sm_120", 170, 99, 1792, 104800, 210000},    // GeForce RTX 5090, portable code
    {"sm_120a", 170, 99, 1792, 104800, 210000},   // GeForce RTX 5090
};

}  // namespace

std::string to_string(Backend backend) { return backend == Backend::Cuda ? "cuda" : "cpu"; }

std::string to_string(const Target& target) {
  return fmt::format(
      "{}{{arch: {}, features: \"{}\", units: {}, vector_bytes: {}, shared_bytes: {}, "
      "memory_gb_per_s: {}, fma_gflop_per_s: {}, product_gflop_per_s: {}, launch_us: {}}}",
      to_string(target.backend), target.arch, target.features, target.units, target.vector_bytes,
      target.shared_bytes, target.memory_gb_per_s, target.fma_gflop_per_s,
      target.product_gflop_per_s, target.launch_us);
}

Target make_cuda_target(const std::string& arch) {
  std::vector<std::string_view> known;
  for (const CudaArch& row : kCudaArchs) {
    known.push_back(row.name);
    if (row.name != arch) continue;
    return {.backend = Backend::Cuda,
            .arch = arch,
            .features = "",
            .units = row.units,
            .vector_bytes = 16,
            .shared_bytes = row.shared_kib * 1024,
            .memory_gb_per_s = row.memory_gb_per_s,
            .fma_gflop_per_s = row.fma_gflop_per_s,
            .product_gflop_per_s = row.product_gflop_per_s,
            .launch_us = 3};
  }
  support::throw_user("found the CUDA target '{}', one of {} is needed", arch,
                      fmt::join(known, ", "));
}

Target make_cpu_target() {
  return {.backend = Backend::Cpu,
          .arch = "x86-64-v3",
          .features = "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sse4.2",
          .units = 8,
          .vector_bytes = 32,
          .shared_bytes = 0,
          .memory_gb_per_s = 40,
          .fma_gflop_per_s = 768,  // 8 threads, 3 GHz, two 8-wide fma a cycle
          .launch_us = 5};
}

}  // namespace sinter::codegen
