// Writes the entry point of one loop nest.
#pragma once

#include <functional>

#include "codegen/llvm/store_groups.h"
#include "codegen/llvm/value_emitter.h"
#include "codegen/program.h"

namespace sinter::codegen::llvm {

/// Number of items: the parallel axes, the lane axis in blocks.
ir::IndexExpr item_count(const ir::Kernel& kernel, const NestPlan& plan);

/// Writes the loop over the items [%begin, %end) with all that is in it. `prepare` runs at the
/// head of each item, its axes bound: there values may be preset.
void write_items(ValueEmitter& emitter, const NestPlan& plan,
                 const std::function<void()>& prepare = {});

}  // namespace sinter::codegen::llvm
