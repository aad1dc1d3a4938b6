// What a backend offers to the runtime: memory, streams, timing, compilation and launches. One
// implementation in runtime/cuda, one in runtime/cpu, with the same file names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/program.h"
#include "codegen/target.h"
#include "ir/facts.h"
#include "ir/flat_facts.h"

namespace sinter::runtime {

/// Registers, spills and the like of one entry, read from the binary; empty for the CPU.
struct EntryResources {
  std::string symbol;
  int registers = 0;
  std::int64_t local_bytes = 0;   // stack and spills, a thread
  std::int64_t shared_bytes = 0;  // static
};

/// A compiled Program: a cubin or an object file, and the compiler's log.
struct Binary {
  std::string bytes;
  std::string log;
};

/// What one call binds, by the places of a CallNames.
struct CallArguments {
  std::span<const std::int64_t> sizes;
  std::span<const ir::TensorLayout> tensors;
  std::span<void* const> workspaces;  // by place in Program::workspaces; those to be zeroed are
};

/// What one call binds: tensors and workspaces by name, sizes by symbol.
struct CallBindings {
  ir::CallFacts facts;                      // sizes, tensors with extents and strides
  std::map<std::string, void*> workspaces;  // by Workspace::name
};

/// An opaque stream: CUstream on CUDA; unused on the CPU, where work is done when launch returns.
using StreamHandle = void*;

/// A loaded Program that knows where in a call its arguments are. Safe to launch from several
/// threads; lives no longer than its LoadedProgram.
class BoundProgram {
 public:
  virtual ~BoundProgram() = default;
  /// Runs all entries in order. RuntimeError names the entry that failed.
  virtual void launch(StreamHandle stream, const CallArguments& call) = 0;
};

/// A Program loaded on a device.
class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  /// For calls whose sizes and tensors have the places of `names`. InternalError where the program
  /// needs a tensor, UserError where it needs a size that is not among them.
  virtual std::unique_ptr<BoundProgram> bind(const ir::CallNames& names) = 0;
  virtual std::vector<EntryResources> resources() const = 0;
  /// Binds and launches once, by name.
  void launch(StreamHandle stream, const CallBindings& call);

 protected:
  explicit LoadedProgram(std::vector<codegen::Workspace> workspaces)
      : workspaces_(std::move(workspaces)) {}
  const std::vector<codegen::Workspace>& workspaces() const { return workspaces_; }

 private:
  std::vector<codegen::Workspace> workspaces_;
};

/// Work that was recorded once and is enqueued as a whole: on CUDA a graph.
class RecordedWork {
 public:
  virtual ~RecordedWork() = default;
  virtual void launch(StreamHandle stream) = 0;
};

/// How a device runs at this moment.
struct DeviceState {
  double clock_mhz = 0;          // of its multiprocessors; 0: not known
  bool is_hot = false;           // slowed down by its temperature
  bool is_braked = false;        // slowed down by hardware, for power or temperature
  bool is_power_capped = false;  // at its power limit, which is normal under load
};

/// One device. Objects live until the process ends; all functions may be called from any thread.
class DeviceImpl {
 public:
  virtual ~DeviceImpl() = default;
  virtual std::string id() const = 0;           // "cuda:0", "cpu"
  virtual std::string description() const = 0;  // "NVIDIA H200, driver 13.0, 132 SMs"
  virtual const codegen::Target& target() const = 0;
  virtual std::size_t total_bytes() const = 0;
  virtual std::size_t free_bytes() const = 0;
  /// The toolchain that `compile` uses, with version: part of the cache key.
  virtual std::string toolchain() const = 0;

  /// Aligned to 256 bytes. EnvironmentError when memory is short.
  virtual void* allocate(std::size_t size_bytes) = 0;
  virtual void free(void* memory) noexcept = 0;
  virtual void copy_in(void* device, const void* host, std::size_t size_bytes) = 0;
  virtual void copy_out(void* host, const void* device, std::size_t size_bytes) = 0;
  virtual void fill_bytes(StreamHandle stream, void* device, int byte, std::size_t size_bytes) = 0;

  virtual StreamHandle make_stream() = 0;
  virtual void free_stream(StreamHandle stream) noexcept = 0;
  virtual void synchronize(StreamHandle stream) = 0;
  /// Time of `work` (which enqueues on `stream`) on the device's own clock, in microseconds.
  virtual double time_us(StreamHandle stream, const std::function<void()>& work) = 0;

  /// Records what `work` enqueues on `stream` instead of doing it; null where the device cannot, and then
  /// `work` is not called. What `work` uses must outlive the result.
  virtual std::unique_ptr<RecordedWork> record(StreamHandle /*stream*/,
                                               const std::function<void()>& /*work*/) {
    return nullptr;
  }

  virtual DeviceState state() const { return {}; }

  /// Compiles; thread-safe. CompileError shows log and numbered source excerpt.
  virtual Binary compile(const codegen::Program& program) = 0;
  virtual std::shared_ptr<LoadedProgram> load(const codegen::Program& program,
                                              const Binary& binary) = 0;
};

/// All CUDA devices, in the driver's order; empty, with the reason in `why_none`, where there are
/// none that can be used ("no usable GPU: ...").
std::vector<DeviceImpl*> cuda_devices(std::string* why_none);
/// The CPU. EnvironmentError where the LLVM module cannot be loaded.
DeviceImpl* cpu_device();

}  // namespace sinter::runtime
