// The meaning of every scalar operator, with its error bound.
#pragma once

#include <span>

#include "ir/op.h"
#include "reference/element.h"

namespace sinter::reference {

/// `op` (pointwise, see ir::is_pointwise) on one element of each operand. `operand` is the dtype of
/// the last operand (select's condition is bool whatever it says), `result` that of the result.
/// Narrow floats compute in f32 and are not rounded here; cast rounds. A bitcast takes an element
/// that is rounded to its dtype.
Element evaluate_scalar(ir::Op op, ir::DType operand, ir::DType result,
                        std::span<const Element> operands);

/// What the bounds of two decided factors do to their exact product: |a|·db + |b|·da + da·db, and
/// infinity where an infinite factor meets one of uncertain sign.
Wide product_spread(const Element& a, const Element& b);

}  // namespace sinter::reference
