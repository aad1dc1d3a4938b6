// erfinv(x) = x P(w), w = -log(1 - x^2), and x Q(sqrt(w)) where w is large; the variables are those of
// M. B. Giles, Approximating the erfinv function (2011), the polynomials our own
// (scripts/coefficients/erfinv.sollya). 54 operators in f32 and 97 in f64, bitcasts aside.
#include "codegen/expand/coefficients/erfinv.h"

#include <limits>

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;
namespace c = coefficients;

std::shared_ptr<const ir::Graph> make_erfinv(ir::DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ScalarBuilder b("erfinv", dtype);
  const Value x = b.parameter("x");
  const Value zero = b.number(0.0);

  const Value product = b.fma(b.neg(x), x, b.number(1.0));
  const Value w = b.neg(join_log(b, split_log(b, product)));
  const Value centre = b.sub(w, b.number(2.5));
  const Value tail = b.sub(b.sqrt(w), b.number(c::kErfinvMiddleF32, c::kErfinvMiddleF64));
  const Value is_centre = b.lt(w, b.number(c::kErfinvSplitF32, c::kErfinvSplitF64));
  const Value factor = b.select(is_centre, b.polynomial(c::kErfinvF32, c::kErfinvF64, centre),
                                b.polynomial(c::kErfinvTailF32, c::kErfinvTailF64, tail));

  // NaN where |x| > 1 or x is NaN: both fail the two comparisons.
  const Value infinite = b.mul(x, b.number(kInfinity));
  const Value nan = b.number(std::numeric_limits<double>::quiet_NaN());
  const Value otherwise = b.select(b.eq(product, zero), infinite, nan);
  return b.finish(b.select(b.lt(zero, product), b.mul(x, factor), otherwise));
}

}  // namespace sinter::codegen
