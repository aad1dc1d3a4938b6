// A kernel of the plan for tensors of every layout: as their shapes have them, and with the dimensions of some
// in another order in memory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codegen/plan/plan_layout.h"
#include "runtime/call_plan.h"
#include "runtime/kernel_variants.h"
#include "runtime/tensor_layouts.h"

namespace sinter::runtime {

/// What is launched for tensors whose dimensions lie in these orders.
class LayoutVariants {
 public:
  /// `tensors`: place in a call of each of the kernel's parameters; `size_names`: of its sizes.
  LayoutVariants(const ir::Kernel& kernel, codegen::DimensionOrders orders,
                 std::span<const std::size_t> tensors, DeviceImpl& device,
                 const std::map<std::string, std::int64_t>& sizes,
                 const std::vector<std::string>& size_names);

  /// In order; none where no schedule takes the permuted kernel.
  const std::vector<std::unique_ptr<KernelVariants>>& kernels() const { return kernels_; }
  /// Bytes of the intermediates, each aligned.
  std::size_t intermediate_bytes(std::span<const std::int64_t> sizes) const;
  /// The call's tensors as the kernels know them, then the intermediates, the first one at `scratch`.
  std::span<const ir::TensorLayout> see(CallFrame& frame, std::byte* scratch) const;

 private:
  struct Intermediate {
    std::vector<ir::FlatExpr> extents;
    ir::FlatExpr size_bytes;
  };

  codegen::DimensionOrders orders_;
  std::vector<std::size_t> tensors_;
  codegen::LayoutPlan plan_;
  std::vector<Intermediate> intermediates_;
  std::size_t dimensions_ = 0;  // of all that the kernels see
  std::vector<std::unique_ptr<KernelVariants>> kernels_;
};

/// Safe from several threads: a call waits only for what its own layout needs.
class KernelLayouts {
 public:
  /// `names` are the places of a call's sizes and tensors.
  KernelLayouts(const codegen::PlannedKernel& planned, DeviceImpl& device,
                std::map<std::string, std::int64_t> sizes, const ir::CallNames& names);

  /// For tensors as their shapes have them.
  KernelVariants& as_given() { return as_given_; }
  /// Appends what the call launches for this kernel, compiled on first use: its class's variant, or, where the
  /// class does not tell how a tensor lies whose dimensions are not in the order of its strides, that of the
  /// permuted kernel. Returns the bytes of scratch memory that this takes.
  std::size_t find(CallFrame& frame);
  /// The most that this is for calls of these sizes, among what is compiled so far.
  std::size_t scratch_bytes(std::span<const std::int64_t> sizes) const;
  /// All that there are by now.
  std::vector<const KernelVariants*> kernels() const;

 private:
  struct Slot {
    std::once_flag is_planned;
    std::unique_ptr<const LayoutVariants> variants;
  };
  /// Null where the tensors are to be taken as they are.
  const LayoutVariants* other_layout(std::size_t facts_class, CallFrame& frame);
  const LayoutVariants* layout_of(const codegen::DimensionOrders& orders);

  KernelVariants as_given_;
  DeviceImpl* device_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<std::string> size_names_;
  std::vector<std::size_t> tensors_;         // by parameter: its place in a call
  std::vector<std::vector<bool>> is_known_;  // by class and parameter: whether its layout is a fact
  mutable std::mutex mutex_;                 // of layouts_
  std::map<codegen::DimensionOrders, Slot> layouts_;
};

}  // namespace sinter::runtime
