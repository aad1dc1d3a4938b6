// What is launched instead of a planned kernel where a call's tensors have their dimensions in another order in
// memory than in their shapes.
#pragma once

#include "codegen/permute_kernel.h"
#include "codegen/plan/plan.h"

namespace sinter::codegen {

/// Kernels for tensors whose dimensions are permuted. Usually one; a kernel that folds along what lies across may
/// be split: into a pass that brings its operands (or results) into order and the fast kernel for the others, or
/// into folds down the columns and what is computed from them, whichever is predicted to be fastest.
struct LayoutPlan {
  std::vector<PlannedKernel> kernels;  // in execution order; none where no schedule takes them
  std::vector<PlannedTensor> intermediates;
};

/// The same orders always give the same plan, whatever else a call has: it is made for dense tensors of `sizes`.
LayoutPlan plan_layout(const ir::Kernel& kernel, const DimensionOrders& orders,
                       const Target& target, std::span<const Schedule> schedules,
                       const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::codegen
