// From a Program to code loaded on a device: once a process for each Program, through the disk
// cache where it has the binary.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "codegen/program.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

/// Where the binaries of this process came from.
struct CacheCounts {
  std::int64_t memory_hits = 0;
  std::int64_t disk_hits = 0;
  std::int64_t compiled = 0;
};

/// Safe from several threads: one compiles a Program, the others wait for it. A failed compile is
/// not remembered.
class ProgramCache {
 public:
  /// The key is the Program's text with the device's toolchain and architecture: whatever changes
  /// the generated code or its compiler changes the key.
  std::shared_ptr<LoadedProgram> load(DeviceImpl& device, const codegen::Program& program);
  CacheCounts counts() const;

 private:
  using Future = std::shared_future<std::shared_ptr<LoadedProgram>>;
  std::shared_ptr<LoadedProgram> compile_and_load(DeviceImpl& device,
                                                  const codegen::Program& program,
                                                  const std::string& key);
  mutable std::mutex mutex_;
  std::map<std::string, Future> loaded_;  // by device id and key
  CacheCounts counts_;
};

/// The process's cache.
ProgramCache& program_cache();

}  // namespace sinter::runtime
