// The elementary functions: exact values by the C library, and their error bounds.
#pragma once

#include <span>

#include "ir/op.h"
#include "reference/element.h"

namespace sinter::reference {

/// `op` (one that codegen expands: exp to atan2) on decided elements of `dtype`. Undecided where the
/// operands' intervals reach over a pole, a jump or the end of the domain.
Element evaluate_function(ir::Op op, ir::DType dtype, std::span<const Element> operands);

}  // namespace sinter::reference
