#include "codegen/cuda/native_functions.h"

#include "codegen/expand/expand.h"

namespace sinter::codegen::cuda {

std::string native_function(ir::Op op, ir::DType dtype) {
  return op == ir::Op::Exp && ir::compute_dtype(dtype) == ir::DType::F32 ? "exp_f32" : "";
}

ir::Kernel expand_for_gpu(const ir::Kernel& kernel) {
  if (kernel.mode() == ir::Mode::Strict) return expand_elementary(kernel);
  return expand_elementary(
      kernel, [](ir::Op op, ir::DType dtype) { return !native_function(op, dtype).empty(); });
}

}  // namespace sinter::codegen::cuda
