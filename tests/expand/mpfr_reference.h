// Exact values of elementary functions by MPFR, and distances from them.
#pragma once

#include "ir/op.h"

namespace sinter::tests {

/// |y - op(x)| in units of the last place of `dtype` at the exact op(x); subnormal results count in
/// the smallest subnormal. An infinite y counts as the power of two that it was rounded from. For x
/// and op(x) that are numbers.
double ulp_error(ir::Op op, ir::DType dtype, double x, double y);

/// op(x) rounded once, to nearest even, to the type. NaN is the canonical one.
ir::Literal correctly_rounded(ir::Op op, ir::DType dtype, double x);

}  // namespace sinter::tests
