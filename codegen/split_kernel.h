// One kernel as two that run one after the other: what the first has computed, the second reads from memory.
#pragma once

#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

struct KernelSplit {
  ir::Kernel before, behind;
  /// Dense tensors between them: Out parameters of `before`, In parameters of `behind`.
  std::vector<ir::KernelParam> intermediates;
};

/// `before` computes the values of `cut` and does the stores of `early_stores`; `behind` does the others. All
/// used results of a node are in the cut or none is, and some store is left for `behind`. A value of the cut that an early store puts into a tensor
/// of its own is read from there; the others get intermediates
/// whose dimensions are in the order of `order`, those that are not in it first.
KernelSplit split_kernel(const ir::Kernel& kernel, const std::vector<ir::Value>& cut,
                         const std::vector<ir::NodeId>& early_stores,
                         const std::vector<ir::AxisId>& order);

}  // namespace sinter::codegen
