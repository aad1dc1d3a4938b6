// Where a kernel that folds may be cut in two because some of its tensors lie across its rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

/// What split_kernel takes.
struct KernelCut {
  std::vector<ir::Value> values;
  std::vector<ir::NodeId> early_stores;
  std::vector<ir::AxisId> order;
};

/// Parameters that lie across, and in which order the axes are wanted that run through each.
using CrossingTensors = std::map<std::string, std::vector<ir::AxisId>>;

/// Ways to cut a kernel: at what is computed from crossing operands before the first fold, at the first folds'
/// results, and at what goes into crossing results. None for kernels that do not fold, and none at values that have
/// more elements than the kernel's tensors.
std::vector<KernelCut> find_cuts(const ir::Kernel& kernel, const CrossingTensors& crossing);

}  // namespace sinter::codegen
