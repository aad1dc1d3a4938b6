// Single flight over memory, disk and compiler.
#include "runtime/program_cache.h"

#include <fmt/format.h>

#include "runtime/cache/disk_cache.h"
#include "runtime/log.h"
#include "sinter/error.h"

namespace sinter::runtime {

namespace {

std::string make_key(const DeviceImpl& device, const codegen::Program& program) {
  const codegen::Target& target = device.target();
  return fmt::format("sinter 1\n{}\n{} {}\n{}", device.toolchain(), target.arch, target.features,
                     codegen::to_string(program));
}

}  // namespace

std::shared_ptr<LoadedProgram> ProgramCache::load(DeviceImpl& device,
                                                  const codegen::Program& program) {
  const std::string key = make_key(device, program);
  const std::string slot = device.id() + "\n" + key;
  std::promise<std::shared_ptr<LoadedProgram>> promise;
  Future future;
  {
    const std::lock_guard lock(mutex_);
    const auto found = loaded_.find(slot);
    if (found != loaded_.end()) {
      ++counts_.memory_hits;
      future = found->second;
    } else {
      loaded_.emplace(slot, promise.get_future().share());
    }
  }
  if (future.valid()) return future.get();
  try {
    std::shared_ptr<LoadedProgram> result = compile_and_load(device, program, key);
    promise.set_value(result);
    return result;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    loaded_.erase(slot);
    throw;
  }
}

std::shared_ptr<LoadedProgram> ProgramCache::compile_and_load(DeviceImpl& device,
                                                              const codegen::Program& program,
                                                              const std::string& key) {
  const DiskCache disk(default_cache_folder());
  if (const auto payload = disk.find(key)) {
    try {
      std::shared_ptr<LoadedProgram> result = device.load(program, {*payload, {}});
      const std::lock_guard lock(mutex_);
      ++counts_.disk_hits;
      return result;
    } catch (const RuntimeError& error) {
      log_warning(
          fmt::format("a cached binary does not load and is compiled again: {}", error.what()));
    }
  }
  const Binary binary = device.compile(program);
  std::shared_ptr<LoadedProgram> result = device.load(program, binary);
  disk.store(key, binary.bytes);
  const std::lock_guard lock(mutex_);
  ++counts_.compiled;
  return result;
}

CacheCounts ProgramCache::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

ProgramCache& program_cache() {
  static ProgramCache instance;
  return instance;
}

}  // namespace sinter::runtime
