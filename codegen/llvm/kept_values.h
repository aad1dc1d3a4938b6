// Values that a row's reduction computes and its stores need again: dear ones wait in memory.
#pragma once

#include <vector>

#include "codegen/llvm/store_groups.h"

namespace sinter::codegen::llvm {

struct KeptValue {
  ir::NodeId node = 0;
  ir::NodeId producer = 0;  // the first fold that computes it
};

/// Of a plan whose lanes run along one inner axis of a length that is known and not long; of a kernel whose
/// elementary functions are expanded.
std::vector<KeptValue> kept_values(const ir::Kernel& kernel, const NestPlan& plan);

}  // namespace sinter::codegen::llvm
