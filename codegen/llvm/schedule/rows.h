// Kernels whose reductions feed back into the rows they reduce: softmax, norms, log-sum-exp. One
// item of work is one row: its reductions first, then the loops that use them.
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::llvm {

extern const Schedule kRowsSchedule;

}  // namespace sinter::codegen::llvm
