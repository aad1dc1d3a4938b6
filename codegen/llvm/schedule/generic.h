// The schedule of last resort on the CPU: one loop nest for each domain that is stored, its parallel
// axes spread over threads and one axis over vector lanes. Accepts any kernel with at most one
// reduce, contract or scan whose result is used over its own axes.
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::llvm {

extern const Schedule kGenericSchedule;

}  // namespace sinter::codegen::llvm
