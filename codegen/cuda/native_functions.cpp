#include "codegen/cuda/native_functions.h"

#include <algorithm>

#include "codegen/expand/expand.h"

namespace sinter::codegen::cuda {

NativeFunctions native_functions_of(const ir::Kernel& kernel) {
  if (kernel.mode() == ir::Mode::Strict) return NativeFunctions::None;
  const bool is_rounded =
      std::all_of(kernel.params().begin(), kernel.params().end(), [](const ir::KernelParam& param) {
        return param.role == ir::ParamRole::In || ir::is_narrow_float(param.dtype);
      });
  return is_rounded ? NativeFunctions::Rounded : NativeFunctions::Accurate;
}

std::string native_function(ir::Op op, ir::DType dtype, NativeFunctions kind) {
  if (kind == NativeFunctions::None || ir::compute_dtype(dtype) != ir::DType::F32) return "";
  if (op == ir::Op::Tanh) return "tanh_f32";
  if (op != ir::Op::Exp) return "";
  return kind == NativeFunctions::Rounded ? "exp_rounded" : "exp_f32";
}

ir::Kernel expand_for_gpu(const ir::Kernel& kernel) {
  const NativeFunctions kind = native_functions_of(kernel);
  return expand_elementary(kernel, [kind](ir::Op op, ir::DType dtype) {
    return !native_function(op, dtype, kind).empty();
  });
}

}  // namespace sinter::codegen::cuda
