// A planned operator on a device: variants of its kernels by the Facts that hold for a call.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/conditions.h"
#include "ir/graph.h"
#include "runtime/arena.h"
#include "runtime/device_impl.h"
#include "sinter/compile.h"

namespace sinter::runtime {

/// One kernel for one class of Facts.
struct Variant {
  codegen::Config config;
  codegen::Program program;
  std::shared_ptr<LoadedProgram> loaded;
};

/// A kernel of the plan with the variants made so far.
class KernelVariants {
 public:
  KernelVariants(const codegen::PlannedKernel& planned, DeviceImpl& device,
                 std::map<std::string, std::int64_t> sizes);

  const codegen::PlannedKernel& planned() const { return *planned_; }
  const std::vector<ir::Facts>& classes() const { return classes_; }
  /// The first class whose Facts hold; compiled on first use.
  const Variant& find(const ir::CallFacts& call);
  /// The variant of class `index`, compiled on first use. Safe from several threads.
  const Variant& at(std::size_t index);
  /// Config and Program of class `index`, without compiling.
  Variant generate(std::size_t index) const;

 private:
  const codegen::PlannedKernel* planned_;
  DeviceImpl* device_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<ir::Facts> classes_;
  std::mutex mutex_;
  std::map<std::size_t, std::unique_ptr<Variant>> variants_;
};

class ExecutableImpl {
 public:
  /// `graph` as traced; normalized and planned here.
  ExecutableImpl(ir::Graph graph, const Device& device, const CompileOptions& options);

  void run(const Stream& stream, std::span<const TensorView> inputs,
           std::span<const TensorView> outputs);
  std::vector<TensorView> output_views(std::span<const TensorView> inputs) const;
  std::size_t workspace_bytes(std::span<const TensorView> inputs);
  std::string explain() const;

  /// As traced: what the reference evaluates.
  const ir::Graph& graph() const { return graph_; }
  const ir::Graph& normalized() const { return normalized_; }
  const codegen::Plan& plan() const { return plan_; }
  const Device& device() const { return device_; }
  /// Compiles class 0 of every kernel, in parallel.
  void compile_first_variants();
  const std::vector<std::unique_ptr<KernelVariants>>& kernels() const { return kernels_; }

 private:
  /// Sizes of a call, with every condition of the graph checked.
  std::map<std::string, std::int64_t> bind(std::span<const TensorView> inputs) const;

  ir::Graph graph_;
  ir::Graph primitives_;  // graph_ without composites, whose definitions have conditions as well
  std::vector<ir::Condition> conditions_;
  ir::Graph normalized_;
  codegen::Plan plan_;
  std::map<std::string, std::int64_t> sizes_;
  Device device_;
  std::vector<std::unique_ptr<KernelVariants>> kernels_;
  ArenaPool arena_;
};

}  // namespace sinter::runtime
