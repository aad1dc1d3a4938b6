// A kernel whose tensors have their dimensions in other orders: what a call needs whose tensors lie in memory
// otherwise than row after row.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

/// For every parameter of a kernel, one after the other, a permutation of its dimensions: dimension d of the
/// permuted tensor is the tensor's dimension at place d.
using DimensionOrders = std::vector<std::uint8_t>;

/// The same computation on such tensors: shapes and index maps are permuted, everything else stays.
ir::Kernel permute_kernel(const ir::Kernel& kernel, const DimensionOrders& orders);

}  // namespace sinter::codegen
