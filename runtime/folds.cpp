#include "runtime/folds.h"

#include <algorithm>

namespace sinter::runtime {

bool is_fold(const ir::KernelNode& node) {
  const ir::OpClass op_class = ir::info(node.op).op_class;
  return op_class == ir::OpClass::Reduction || op_class == ir::OpClass::Contraction ||
         op_class == ir::OpClass::Scan;
}

std::size_t count_folds(const ir::Kernel& kernel) {
  return static_cast<std::size_t>(
      std::count_if(kernel.nodes().begin(), kernel.nodes().end(), is_fold));
}

}  // namespace sinter::runtime
