// What a call has to know of the reductions, products and scans inside a kernel.
#pragma once

#include <cstddef>

#include "ir/kernel.h"

namespace sinter::runtime {

/// A reduce, contract or scan: an operator that combines elements along an axis.
bool is_fold(const ir::KernelNode& node);
std::size_t count_folds(const ir::Kernel& kernel);

}  // namespace sinter::runtime
