// Roots, powers, and the functions around erf and Gamma: exact values and their error bounds.
#pragma once

#include <span>

#include "ir/op.h"
#include "reference/element.h"

namespace sinter::reference {

/// `op` (rsqrt, cbrt, hypot, pow, erf, erfc, erfinv, lgamma or digamma) on decided elements of
/// `dtype`. Undecided where the operands' intervals reach over a pole or the end of the domain.
Element evaluate_special(ir::Op op, ir::DType dtype, std::span<const Element> operands);

/// The derivative of log(Gamma(x)); -inf at +0, inf at -0, NaN at negative whole numbers.
Wide digamma(Wide x);

/// The inverse of erf on [-1, 1]; NaN outside.
Wide erfinv(Wide x);

}  // namespace sinter::reference
