// Result types and domain of a Kernel's node, by the table in kernel.h.
#pragma once

#include <vector>

#include "ir/kernel.h"

namespace sinter::ir {

struct KernelNodeType {
  std::vector<DType> results;
  std::vector<AxisId> domain;  // sorted
};

/// For a node that would come after those of `kernel`, or at position `id` of it. InternalError where
/// operands, axes, parameters or attributes do not fit the operator.
KernelNodeType infer_kernel_node(const Kernel& kernel, NodeId id, Op op,
                                 const std::vector<Value>& operands, const Attributes& attributes);

/// Axes of an index expression, and the domains of the values in it.
std::vector<AxisId> domain_of(const Kernel& kernel, const Shape& expressions);

}  // namespace sinter::ir
