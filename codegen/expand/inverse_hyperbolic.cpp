// asinh, acosh and atanh by log(1 + u), with u as a sum whose rounding is made good:
//   asinh(x) = log1p(x + x^2 / (1 + sqrt(x^2 + 1)))          for x >= 0
//   acosh(x) = log1p(sqrt(2 t + t^2) + t), t = x - 1         for x >= 1
//   atanh(x) = log1p(2 x + 2 x * x / (1 - x)) / 2            for 0 <= x < 1
#include <limits>

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace {

/// u + rest = a + b exactly, for a not below b (T. J. Dekker, 1971).
struct Sum {
  Value u;
  Value rest;
};
Sum split_sum(ScalarBuilder& b, Value larger, Value smaller) {
  const Value u = b.add(larger, smaller);
  return {.u = u, .rest = b.sub(smaller, b.sub(u, larger))};
}

/// log1p of the sum, or log(2 x) for those large x whose square overflows, or nearly so.
Value log_of_sum(ScalarBuilder& b, Value x, const Sum& sum) {
  const Value zero = b.number(0.0);
  const Value is_large = b.lt(b.number(0x1p62, 0x1p500), x);
  const Value scaled = b.select(is_large, b.mul(x, b.number(0x1p-31, 0x1p-400)), sum.u);
  const Value rest = b.select(is_large, zero, sum.rest);
  Log1pParts parts = split_log1p(b, scaled, &rest);
  parts.k = b.add(parts.k, b.select(is_large, b.number(32.0, 401.0), zero));
  return join_log1p(b, parts);
}

}  // namespace

std::shared_ptr<const ir::Graph> make_asinh(ir::DType dtype) {
  ScalarBuilder b("asinh", dtype);
  const Value x = b.parameter("x");
  const Value one = b.number(1.0);
  const Value magnitude = b.abs(x);
  const Value square = b.mul(magnitude, magnitude);
  const Value root = b.sqrt(b.fma(magnitude, magnitude, one));
  const Sum sum = split_sum(b, magnitude, b.div(square, b.add(root, one)));
  const Value finite = log_of_sum(b, magnitude, sum);
  const Value infinity = b.number(std::numeric_limits<double>::infinity());
  return b.finish(b.with_sign_of(x, b.select(b.eq(magnitude, infinity), infinity, finite)));
}

std::shared_ptr<const ir::Graph> make_acosh(ir::DType dtype) {
  ScalarBuilder b("acosh", dtype);
  const Value x = b.parameter("x");
  const Value one = b.number(1.0);
  const Value t = b.sub(x, one);
  const Sum sum = split_sum(b, b.sqrt(b.fma(t, t, b.add(t, t))), t);
  const Value finite = log_of_sum(b, x, sum);
  const Value infinity = b.number(std::numeric_limits<double>::infinity());
  const Value result = b.select(b.eq(x, infinity), infinity, finite);
  return b.finish(
      b.select(b.lt(x, one), b.number(std::numeric_limits<double>::quiet_NaN()), result));
}

std::shared_ptr<const ir::Graph> make_atanh(ir::DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ScalarBuilder b("atanh", dtype);
  const Value x = b.parameter("x");
  const Value one = b.number(1.0);
  const Value magnitude = b.abs(x);
  // Above 1/2 the second term is the larger: `rest` is then rounded itself, and matters less.
  const Value twice = b.add(magnitude, magnitude);
  const Value ratio = b.div(magnitude, b.sub(one, magnitude));
  const Sum sum = split_sum(b, twice, b.mul(twice, ratio));
  const Value log = join_log1p(b, split_log1p(b, sum.u, &sum.rest));
  const Value finite = b.mul(log, b.number(0.5));
  const Value end = b.select(b.eq(magnitude, one), b.number(kInfinity),
                             b.number(std::numeric_limits<double>::quiet_NaN()));
  return b.finish(b.with_sign_of(x, b.select(b.lt(magnitude, one), finite, end)));
}

}  // namespace sinter::codegen
