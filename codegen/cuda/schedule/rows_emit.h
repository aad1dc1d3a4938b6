// The text of kernels as rows (rows.h).
#pragma once

#include "codegen/cuda/schedule/row_kernel.h"
#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

/// Config values: blocks, team, threads, vector, items, keeps, shifted.
Program emit_rows(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                  const Target& target);
/// Config values: threads, vector.
Program emit_pointwise(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                       const Target& target);

}  // namespace sinter::codegen::cuda
