// The CPU as a device.
#pragma once

#include <mutex>

#include "runtime/cpu/jit/cpu_jit_api.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

/// Threads that the option SINTER_THREADS asks for; one a core that this process may use where it
/// is 0. UserError where it is negative or no number.
int chosen_threads();

class CpuDevice final : public DeviceImpl {
 public:
  CpuDevice(const SinterCpuJitApi& jit, int threads);

  std::string id() const override { return "cpu"; }
  std::string description() const override;
  const codegen::Target& target() const override { return target_; }
  std::size_t total_bytes() const override;
  std::size_t free_bytes() const override;
  std::string toolchain() const override;

  void* allocate(std::size_t size_bytes) override;
  void free(void* memory) noexcept override;
  void copy_in(void* device, const void* host, std::size_t size_bytes) override;
  void copy_out(void* host, const void* device, std::size_t size_bytes) override;
  void fill_bytes(StreamHandle stream, void* device, int byte, std::size_t size_bytes) override;

  StreamHandle make_stream() override { return nullptr; }
  void free_stream(StreamHandle) noexcept override {}
  void synchronize(StreamHandle) override {}
  double time_us(StreamHandle stream, const std::function<void()>& work) override;

  Binary compile(const codegen::Program& program) override;
  std::shared_ptr<LoadedProgram> load(const codegen::Program& program,
                                      const Binary& binary) override;

 private:
  const SinterCpuJitApi& jit_;
  codegen::Target target_;
  ThreadPool pool_;
};

}  // namespace sinter::runtime
