// Elementary functions that the GPU's special function units make cheaper than their expansions, outside of strict
// mode, which keeps the CPU's bits.
#pragma once

#include <string>

#include "ir/kernel.h"

namespace sinter::codegen::cuda {

enum class NativeFunctions {
  None,
  Accurate,  // within the errors that are stated for f32
  Rounded,   // coarser: all results are narrow floats, whose rounding hides the difference
};
NativeFunctions native_functions_of(const ir::Kernel& kernel);

/// The piece of this name computes the function, with the error that docs/elementary_functions.md states;
/// empty where there is none. `dtype` is the operand's; narrow floats are computed in f32.
std::string native_function(ir::Op op, ir::DType dtype, NativeFunctions kind);

/// What is emitted: elementary functions are expanded, but for native ones where the kernel allows them.
ir::Kernel expand_for_gpu(const ir::Kernel& kernel);

}  // namespace sinter::codegen::cuda
