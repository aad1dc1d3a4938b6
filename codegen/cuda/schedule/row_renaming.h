// Values of a row under new names.
#pragma once

#include <cstddef>

#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/schedule/row_kernel.h"

namespace sinter::codegen::cuda {

/// Values of the row with which elements are made again get new names: the compiler would see that they are
/// what an earlier pass made, and keep that.
void emit_renamed(KernelText& text, const RowKernel& rows, const RowPasses& passes,
                  std::size_t pass);

}  // namespace sinter::codegen::cuda
