// Elementary functions that the GPU's special function units make cheaper than their expansions. They serve
// kernels whose results are all narrow floats, where rounding hides the difference: f32 results keep the
// accuracy of the expansions, and strict mode the CPU's bits.
#pragma once

#include <string>

#include "ir/kernel.h"

namespace sinter::codegen::cuda {

/// Whether the kernel is one that native functions serve.
bool allows_native_functions(const ir::Kernel& kernel);

/// The piece of this name computes the function, with the error that docs/elementary_functions.md states;
/// empty where there is none. `dtype` is the operand's; narrow floats are computed in f32.
std::string native_function(ir::Op op, ir::DType dtype);

/// What is emitted: elementary functions are expanded, but for native ones where the kernel allows them.
ir::Kernel expand_for_gpu(const ir::Kernel& kernel);

}  // namespace sinter::codegen::cuda
