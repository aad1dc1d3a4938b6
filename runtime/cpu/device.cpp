// Describes the machine and hands out memory and programs.
#include "runtime/cpu/device.h"

#include <sched.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "runtime/cpu/features.h"
#include "runtime/cpu/jit_module.h"
#include "runtime/cpu/memory.h"
#include "runtime/cpu/module.h"
#include "support/check.h"
#include "support/options.h"

namespace sinter::runtime {

namespace {

int usable_cores() {
  // Machines with more than 1024 processors need a larger set.
  for (int processors = 1024; processors <= 1 << 20; processors *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(processors));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(processors));
    const int code = sched_getaffinity(0, size, set);
    const int count = code == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Rates are of a usual core, never measured: the same machine gives the same target each time.
codegen::Target describe_target(const SinterCpuJitApi& jit, int threads) {
  constexpr double kGHz = 3.0;
  constexpr double kFmaPerCycle = 2.0;
  codegen::Target target;
  target.backend = codegen::Backend::Cpu;
  target.arch = jit.cpu;
  target.features = usable_features(jit.features);
  target.units = threads;
  target.vector_bytes = vector_bytes(target.features);
  target.memory_gb_per_s = std::min(12.0 * threads, 200.0);
  target.fma_gflop_per_s = threads * kGHz * kFmaPerCycle * 2 * target.vector_bytes / 4;
  target.launch_us = 5;
  return target;
}

std::string model_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

}  // namespace

int chosen_threads() {
  const std::int64_t threads = support::option_integer(support::Option::Threads);
  return threads == 0 ? usable_cores() : static_cast<int>(threads);
}

CpuDevice::CpuDevice(const SinterCpuJitApi& jit, int threads)
    : jit_(jit), target_(describe_target(jit, threads)), pool_(threads) {}

std::string CpuDevice::description() const {
  return fmt::format("{} ({}), {} threads, {:.1f} GiB, LLVM {}", model_name(), target_.arch,
                     pool_.threads(), static_cast<double>(total_bytes()) / (1 << 30),
                     jit_.llvm_version);
}

std::size_t CpuDevice::total_bytes() const { return host_total_bytes(); }

std::size_t CpuDevice::free_bytes() const { return host_free_bytes(); }

std::string CpuDevice::toolchain() const {
  return fmt::format("LLVM {} with {}", jit_.llvm_version, jit_.blas);
}

void* CpuDevice::allocate(std::size_t size_bytes) { return allocate_host(size_bytes); }

void CpuDevice::free(void* memory) noexcept { free_host(memory); }

void CpuDevice::copy_in(void* device, const void* host, std::size_t size_bytes) {
  if (size_bytes > 0) std::memcpy(device, host, size_bytes);
}

void CpuDevice::copy_out(void* host, const void* device, std::size_t size_bytes) {
  if (size_bytes > 0) std::memcpy(host, device, size_bytes);
}

void CpuDevice::fill_bytes(StreamHandle, void* device, int byte, std::size_t size_bytes) {
  if (size_bytes > 0) std::memset(device, byte, size_bytes);
}

double CpuDevice::time_us(StreamHandle, const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::micro>(stop - start).count();
}

Binary CpuDevice::compile(const codegen::Program& program) {
  return compile_cpu_program(jit_, program, target_);
}

std::shared_ptr<LoadedProgram> CpuDevice::load(const codegen::Program& program,
                                               const Binary& binary) {
  return std::make_shared<CpuProgram>(jit_, pool_, program, binary);
}

DeviceImpl* cpu_device() {
  // Never destroyed: kernels may still be held by objects that live until the process ends.
  static CpuDevice* const device = new CpuDevice(cpu_jit(), chosen_threads());
  return device;
}

}  // namespace sinter::runtime
