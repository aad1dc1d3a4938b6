// A planned operator on a device.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/graph.h"
#include "runtime/arena.h"
#include "runtime/call_plan.h"
#include "runtime/device_impl.h"
#include "runtime/frame_pool.h"
#include "runtime/kernel_layouts.h"
#include "sinter/compile.h"

namespace sinter::runtime {

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

 private:
  void launch_all(const Stream& stream, std::span<const TensorView> inputs,
                  std::span<const TensorView> outputs, CallFrame& frame);
  void launch_one(const Stream& stream, const Launch& launch, std::byte* scratch, CallFrame& frame);

  ir::Graph graph_;
  ir::Graph normalized_;
  codegen::Plan plan_;
  CompileOptions options_;
  Device device_;
  CallPlan call_plan_;
  std::vector<std::unique_ptr<KernelLayouts>> kernels_;
  ArenaPool arena_;
  FramePool frames_;
};

}  // namespace sinter::runtime
