// A GPU as the runtime sees it: DeviceImpl over the driver API. The primary context is retained for
// the life of the process and made current around each call, so any thread may call (trap E01).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvml.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

class CudaDeviceImpl final : public DeviceImpl {
 public:
  /// RuntimeError where the device cannot be used.
  explicit CudaDeviceImpl(int ordinal);

  std::string id() const override;
  std::string description() const override;
  const codegen::Target& target() const override { return target_; }
  std::size_t total_bytes() const override { return total_bytes_; }
  std::size_t free_bytes() const override;
  std::string toolchain() const override;

  void* allocate(std::size_t size_bytes) override;
  void free(void* memory) noexcept override;
  void copy_in(void* device, const void* host, std::size_t size_bytes) override;
  void copy_out(void* host, const void* device, std::size_t size_bytes) override;
  void fill_bytes(StreamHandle stream, void* device, int byte, std::size_t size_bytes) override;

  StreamHandle make_stream() override;
  void free_stream(StreamHandle stream) noexcept override;
  void synchronize(StreamHandle stream) override;
  double time_us(StreamHandle stream, const std::function<void()>& work) override;
  std::unique_ptr<RecordedWork> record(StreamHandle stream,
                                       const std::function<void()>& work) override;
  DeviceState state() const override;

  Binary compile(const codegen::Program& program) override;
  std::shared_ptr<LoadedProgram> load(const codegen::Program& program,
                                      const Binary& binary) override;

  /// Makes the device's context current for its lifetime. The constructor throws where the device
  /// is dead.
  class Use {
   public:
    explicit Use(const CudaDeviceImpl& device);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

  /// Throws RuntimeError "<what> failed on cuda:0: CUDA_ERROR_... " unless `result` is success.
  /// After a sticky error the device is dead, and the message names the kernels that may be to
  /// blame (trap E09).
  void require(CudaResult result, const std::string& what) const;
  /// Remembers that `symbol` was put on `stream`, for the message of a later failure.
  void note_launch(CudaStream stream, const std::shared_ptr<const std::string>& symbol) const;
  int driver_version() const { return driver_version_; }

 private:
  std::string suspects() const;

  const DriverApi& api_;
  int ordinal_;
  CudaContext context_ = nullptr;
  std::string name_;
  int driver_version_ = 0;
  std::size_t total_bytes_ = 0;
  codegen::Target target_;
  std::string bus_id_;
  mutable std::once_flag nvml_once_;  // NVML takes milliseconds to start
  mutable std::optional<NvmlDevice> nvml_;

  mutable std::mutex mutex_;
  mutable std::string death_;  // why the device is dead; empty while it lives
  /// By stream: kernels launched since it was last synchronized, each once, at most kSuspects.
  mutable std::map<CudaStream, std::vector<std::shared_ptr<const std::string>>> launched_;
};

}  // namespace sinter::runtime
