// Variants of one kernel by the Facts that hold for a call.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/flat_facts.h"
#include "runtime/device_impl.h"
#include "runtime/pipeline.h"

namespace sinter::runtime {

/// One kernel for one class of Facts.
struct Variant {
  codegen::Config config;
  codegen::Program program;
  std::shared_ptr<LoadedProgram> loaded;
  std::unique_ptr<BoundProgram> bound;
  std::vector<ir::FlatExpr> workspace_bytes;  // by the program's workspaces

  /// Bytes of all workspaces, each aligned.
  std::size_t scratch_bytes(std::span<const std::int64_t> sizes) const;
};

/// One kernel with the variants made so far. Safe from several threads: a call waits only
/// for the compilation of its own class.
class KernelVariants {
 public:
  /// `names` are the places of a call's sizes and tensors.
  KernelVariants(const codegen::PlannedKernel& planned, DeviceImpl& device,
                 std::map<std::string, std::int64_t> sizes, const ir::CallNames& names);

  const codegen::PlannedKernel& planned() const { return *planned_; }
  const std::vector<ir::Facts>& classes() const { return classes_; }
  /// The first class whose Facts hold.
  std::size_t class_of(std::span<const std::int64_t> sizes,
                       std::span<const ir::TensorLayout> tensors) const;
  /// Its variant, for the call that it is the class of; compiled on first use.
  const Variant& take(std::size_t index, std::span<const std::int64_t> sizes,
                      std::span<const ir::TensorLayout> tensors);
  const Variant& find(std::span<const std::int64_t> sizes,
                      std::span<const ir::TensorLayout> tensors) {
    return take(class_of(sizes, tensors), sizes, tensors);
  }
  /// The variant of class `index`, compiled on first use. What a compilation throws is thrown to the
  /// caller that asked; the next one tries again.
  const Variant& at(std::size_t index);
  /// The variants compiled so far.
  std::vector<const Variant*> compiled() const;
  /// Of the one among them that needs most.
  std::size_t scratch_bytes(std::span<const std::int64_t> sizes) const;
  /// Config and Program of class `index`, without compiling.
  GeneratedKernel generate(std::size_t index) const;

 private:
  struct Slot {
    std::mutex mutex;  // held while compiling
    std::unique_ptr<const Variant> variant;
    std::atomic<const Variant*> ready = nullptr;
  };
  std::unique_ptr<const Variant> compile(std::size_t index) const;
  void log_mismatches(std::size_t index, std::span<const std::int64_t> sizes,
                      std::span<const ir::TensorLayout> tensors) const;

  const codegen::PlannedKernel* planned_;
  DeviceImpl* device_;
  std::map<std::string, std::int64_t> sizes_;
  ir::CallNames names_;
  std::vector<ir::Facts> classes_;
  std::vector<ir::FlatFacts> flat_classes_;
  std::vector<Slot> slots_;  // by class
};

}  // namespace sinter::runtime
