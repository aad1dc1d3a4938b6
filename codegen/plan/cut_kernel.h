// Where a kernel that folds may be cut in two because some of its tensors lie across its rows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

/// What split_kernel takes.
struct KernelCut {
  std::vector<ir::Value> values;
  std::vector<ir::NodeId> early_stores;
  std::vector<ir::AxisId> inner;
};

/// Ways to cut a kernel, of whose parameters `crossing` lie across: at what is computed from crossing operands
/// before the first fold, at the first folds' results, and at what goes into crossing results. None for kernels
/// that do not fold.
std::vector<KernelCut> find_cuts(const ir::Kernel& kernel, const std::set<std::string>& crossing);

}  // namespace sinter::codegen
