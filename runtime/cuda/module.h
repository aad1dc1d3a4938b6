// A cubin loaded into a device's context, with its entries ready to launch.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/cuda/device.h"

namespace sinter::runtime {

class CudaProgram final : public LoadedProgram {
 public:
  /// Loads the cubin and finds every called entry, so that the first launch pays for nothing.
  /// RuntimeError where the bytes are no whole cubin or the driver rejects it.
  CudaProgram(const CudaDeviceImpl& device, const codegen::Program& program, const Binary& binary);
  ~CudaProgram() override;
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  std::unique_ptr<BoundProgram> bind(const ir::CallNames& names) override;
  std::vector<EntryResources> resources() const override { return resources_; }

 private:
  friend class CudaBoundProgram;
  struct Kernel {
    codegen::Entry entry;
    std::shared_ptr<const std::string> symbol;
    CudaFunction function = nullptr;
    std::uint32_t allowed_shared_bytes = 48 * 1024;  // more has to be asked for
  };

  void load_functions(const codegen::Program& program);
  void allow_shared(Kernel& kernel, std::uint32_t bytes);

  const CudaDeviceImpl& device_;
  CudaModule module_ = nullptr;
  std::vector<Kernel> kernels_;
  std::vector<EntryResources> resources_;
  std::mutex mutex_;  // of allowed_shared_bytes
};

}  // namespace sinter::runtime
