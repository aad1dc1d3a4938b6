// Composites on tensors, for the families that have a file of their own.
#pragma once

#include "dsl/trace.h"

namespace sinter::dsl {

/// The node of `op` on a tensor and further ones. UserError at the first where it is a literal, or
/// where the tensors belong to different operators.
Tensor add_composite(ir::Op op, const Operand& first, const std::vector<Tensor>& others,
                     ir::Attributes attributes = {});

/// Result `index` of the node that made this one.
inline Tensor result_of(const Tensor& tensor, std::uint32_t index) {
  return {tensor.trace(), tensor.node(), index};
}

/// One number a dimension: of none given all are `fallback`, one is repeated. UserError otherwise.
std::vector<std::int64_t> expand_list(const std::vector<std::int64_t>& list, std::size_t count,
                                      std::int64_t fallback, const char* name,
                                      const Operand& first);

}  // namespace sinter::dsl
