// Elementary functions that the GPU's special function units make cheaper than their expansions. Strict mode
// has none of them: its bits are the CPU's.
#pragma once

#include <string>

#include "ir/kernel.h"

namespace sinter::codegen::cuda {

/// The piece of this name computes the function, with the error that docs/elementary_functions.md states;
/// empty where there is none. `dtype` is the operand's; narrow floats are computed in f32.
std::string native_function(ir::Op op, ir::DType dtype);

/// What is emitted: elementary functions are expanded, but for native ones outside of strict mode.
ir::Kernel expand_for_gpu(const ir::Kernel& kernel);

}  // namespace sinter::codegen::cuda
