// Exact values of elementary functions by MPFR, and distances from them.
#pragma once

#include <span>

#include "ir/op.h"

namespace sinter::tests {

/// |y - op(x)| in units of the last place of `dtype` at the exact op(x), or at `beside` where that is larger;
/// subnormal results count in the smallest subnormal. An infinite y counts as the power of two that it was
/// rounded from; f8 saturates. Infinite where just one of the two is NaN, where just op(x) is 0 or
/// infinite, and where zeros or infinities differ in sign. `x`: one number an operand, in `dtype`.
double ulp_error(ir::Op op, ir::DType dtype, std::span<const double> x, double y,
                 double beside = 0);
inline double ulp_error(ir::Op op, ir::DType dtype, double x, double y) {
  return ulp_error(op, dtype, {&x, 1}, y);
}

/// The size of the two terms of the reflection of lgamma or digamma at x < 0, to 1 % or better: op(1 - x) and
/// what it is subtracted from, log(pi / |sin(pi x)|) for lgamma and pi cot(pi x) for digamma, which counts as
/// 1/r, r being the distance to the nearest pole. `result`: op(x).
double reflection_terms(ir::Op op, double x, double result);

/// op(x) rounded once, to nearest even, to the type. NaN is the canonical one.
ir::Literal correctly_rounded(ir::Op op, ir::DType dtype, double x);

}  // namespace sinter::tests
