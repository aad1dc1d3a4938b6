// A planned operator on a device: variants of its kernels by the Facts that hold for a call.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/graph.h"
#include "runtime/arena.h"
#include "runtime/call_plan.h"
#include "runtime/device_impl.h"
#include "runtime/frame_pool.h"
#include "runtime/pipeline.h"
#include "sinter/compile.h"

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

/// A kernel of the plan with the variants made so far. Safe from several threads: a call waits only
/// for the compilation of its own class.
class KernelVariants {
 public:
  /// `names` are the places of a call's sizes and tensors.
  KernelVariants(const codegen::PlannedKernel& planned, DeviceImpl& device,
                 std::map<std::string, std::int64_t> sizes, const ir::CallNames& names);

  const codegen::PlannedKernel& planned() const { return *planned_; }
  const std::vector<ir::Facts>& classes() const { return classes_; }
  /// The first class whose Facts hold; compiled on first use.
  const Variant& find(std::span<const std::int64_t> sizes,
                      std::span<const ir::TensorLayout> tensors);
  /// The variant of class `index`, compiled on first use. What a compilation throws is thrown to the
  /// caller that asked; the next one tries again.
  const Variant& at(std::size_t index);
  /// The variants compiled so far.
  std::vector<const Variant*> compiled() const;
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

class ExecutableImpl {
 public:
  /// `graph` as traced; normalized and planned here. `edit` changes the plan before it is used: for those
  /// who plant mistakes.
  ExecutableImpl(ir::Graph graph, const Device& device, const CompileOptions& options,
                 const std::function<void(codegen::Plan&)>& edit = {});

  void run(const Stream& stream, std::span<const TensorView> inputs,
           std::span<const TensorView> outputs);
  std::vector<TensorView> output_views(std::span<const TensorView> inputs) const;
  /// Intermediates and the largest workspaces among the variants compiled so far.
  std::size_t workspace_bytes(std::span<const TensorView> inputs) const;
  std::string explain() const;
  /// Roundings that one term of a sum goes through at most, in the variants compiled so far; 0 where
  /// one of them does not tell.
  std::int64_t longest_chain(std::span<const TensorView> inputs) const;

  /// As traced: what the reference evaluates.
  const ir::Graph& graph() const { return graph_; }
  const ir::Graph& normalized() const { return normalized_; }
  const codegen::Plan& plan() const { return plan_; }
  /// What each call's sizes are checked for.
  const std::vector<ir::Condition>& conditions() const { return call_plan_.conditions(); }
  const Device& device() const { return device_; }
  const CompileOptions& options() const { return options_; }
  /// Compiles class 0 of every kernel, in parallel.
  void compile_first_variants();
  const std::vector<std::unique_ptr<KernelVariants>>& kernels() const { return kernels_; }

 private:
  void launch_all(const Stream& stream, std::span<const TensorView> inputs,
                  std::span<const TensorView> outputs, CallFrame& frame);
  void launch_one(const Stream& stream, const Variant& variant, std::byte* scratch,
                  CallFrame& frame);

  ir::Graph graph_;
  ir::Graph normalized_;
  codegen::Plan plan_;
  CompileOptions options_;
  Device device_;
  CallPlan call_plan_;
  std::vector<std::unique_ptr<KernelVariants>> kernels_;
  ArenaPool arena_;
  FramePool frames_;
};

}  // namespace sinter::runtime
