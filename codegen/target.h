// What code is generated for: everything a schedule may know of a device.
#pragma once

#include <cstdint>
#include <string>

namespace sinter::codegen {

enum class Backend : std::uint8_t { Cuda, Cpu };
std::string to_string(Backend backend);

/// Part of the key. Figures that only rank candidates (rates, sizes) are part of it too, so that
/// the same Target always gives the same choice.
struct Target {
  Backend backend = Backend::Cpu;
  std::string arch;                // "sm_90a"; "x86-64" and the like
  std::string features;            // CPU: LLVM feature string, "+avx2,+fma,+f16c"
  int units = 1;                   // multiprocessors; worker threads
  int vector_bytes = 32;           // CPU: width of a vector register
  std::int64_t shared_bytes = 0;   // GPU: shared memory that a block may use
  double memory_gb_per_s = 0;      // measured or stated bandwidth, for ranking
  double fma_gflop_per_s = 0;      // f32 rate outside tensor cores, for ranking
  double product_gflop_per_s = 0;  // GPU: products of bf16 and f16 in tensor cores; 0: not known
  double launch_us = 0;            // cost of one more kernel, for ranking
};
std::string to_string(const Target& target);

/// A CUDA target by compute capability name, with the figures of the usual device of that
/// capability: sm_80 (A100), sm_90a (H200), sm_100a (B200), ...
Target make_cuda_target(const std::string& arch);
/// The CPU that this process runs on is described by the runtime; this one is a fixed x86-64-v3
/// with 8 threads, for tests that need the same bytes everywhere.
Target make_cpu_target();

}  // namespace sinter::codegen
