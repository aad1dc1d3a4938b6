// Matrix products by OpenBLAS: panels of rows, each on one thread, with what comes before and after
// the product fused around each panel while it is in cache. Operands that are not plain matrices
// (16-bit floats, gathered rows, windows of a convolution, ...) are first written as such: A a panel
// at a time, B once.
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::llvm {

extern const Schedule kBlasSchedule;

}  // namespace sinter::codegen::llvm
