// Composites: one node each, which ir/define/ takes apart later.
#pragma once

#include "dsl/trace.h"

namespace sinter::dsl {

/// The node of `op`: literals take the dtype of the first tensor that is not bool. Shapes are left to
/// the definition.
Tensor add_composite(ir::Op op, std::initializer_list<const Operand*> operands,
                     ir::Attributes attributes = {});

/// The node of `op` on a tensor and further ones. UserError at the first where it is a literal, or
/// where the tensors belong to different operators.
Tensor add_composite(ir::Op op, const Operand& first, const std::vector<Tensor>& others,
                     ir::Attributes attributes = {});

/// The tensor operand of `op`, or UserError; and `axis` of it counted from the front.
const Tensor& tensor_of(ir::Op op, const Operand& a);
std::int64_t axis_of(ir::Op op, const Operand& a, int axis);

/// The node of `op` along an axis of its first operand; all operands are tensors (UserError).
Tensor add_along(ir::Op op, std::initializer_list<const Operand*> operands, int axis,
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
