// Exact values of elementary functions by MPFR, and distances from them.
#pragma once

#include <span>

#include "ir/op.h"

namespace sinter::tests {

/// |y - op(x)| in units of the last place of `dtype` at the exact op(x); subnormal results count in
/// the smallest subnormal. An infinite y counts as the power of two that it was rounded from. Infinite
/// where just one of the two is NaN, or just op(x) infinite. `x`: one number an operand.
double ulp_error(ir::Op op, ir::DType dtype, std::span<const double> x, double y);
inline double ulp_error(ir::Op op, ir::DType dtype, double x, double y) {
  return ulp_error(op, dtype, {&x, 1}, y);
}

/// op(x) rounded once, to nearest even, to the type. NaN is the canonical one.
ir::Literal correctly_rounded(ir::Op op, ir::DType dtype, double x);

}  // namespace sinter::tests
