#include "codegen/cuda/native_functions.h"

#include <algorithm>

#include "codegen/expand/expand.h"

namespace sinter::codegen::cuda {

bool allows_native_functions(const ir::Kernel& kernel) {
  if (kernel.mode() == ir::Mode::Strict) return false;
  return std::all_of(kernel.params().begin(), kernel.params().end(),
                     [](const ir::KernelParam& param) {
                       return param.role == ir::ParamRole::In || ir::is_narrow_float(param.dtype);
                     });
}

std::string native_function(ir::Op op, ir::DType dtype) {
  return op == ir::Op::Exp && ir::compute_dtype(dtype) == ir::DType::F32 ? "exp_rounded" : "";
}

ir::Kernel expand_for_gpu(const ir::Kernel& kernel) {
  if (!allows_native_functions(kernel)) return expand_elementary(kernel);
  return expand_elementary(
      kernel, [](ir::Op op, ir::DType dtype) { return !native_function(op, dtype).empty(); });
}

}  // namespace sinter::codegen::cuda
