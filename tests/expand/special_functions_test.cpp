// Limits, zeros, poles, NaN and subnormals of roots, powers and the functions around erf and Gamma, bit
// for bit; and the error of lgamma and digamma below 0, beside the terms of their reflections.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <vector>

#include "codegen/expand/expand.h"
#include "codegen/expand/interpreter.h"
#include "ir/text.h"
#include "support/special_values.h"
#include "tests/expand/compute.h"
#include "tests/support/function_table.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

using support::kInfinity;
using support::kNan;

struct ValueCase {
  Op op;
  std::vector<double> operands;
  double expected;
};

void check_values(const std::vector<ValueCase>& cases) {
  for (const ValueCase& c : cases) {
    for (const DType dtype : {DType::F32, DType::F64}) {
      CAPTURE(ir::to_string(c.op));
      CAPTURE(c.operands[0]);
      CAPTURE(c.operands.back());
      CHECK(to_string(compute(c.op, dtype, c.operands)) ==
            to_string(ir::make_literal(dtype, c.expected)));
    }
  }
}

/// The largest error of op below 0, in units of the last place of those terms.
double worst_reflection(Op op, DType dtype, int count) {
  const codegen::Interpreter expansion(*codegen::expansion_of(op, dtype));
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> exponent(-20, 10);
  std::uniform_real_distribution<double> fraction(1, 2);
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double drawn = -fraction(generator) * std::exp2(exponent(generator));
    const Literal input = ir::make_literal(dtype, drawn);
    const double x = ir::as_double(input);
    if (std::floor(x) == x) continue;
    const double y = ir::decode_float(dtype, expansion.evaluate(input.bits));
    worst = std::max(worst, ulp_error(op, dtype, {&x, 1}, y, reflection_terms(op, x, y)));
  }
  return worst;
}

}  // namespace

TEST_CASE("roots and hypot have their limits") {
  check_values({{Op::Rsqrt, {4}, 0.5},
                {Op::Rsqrt, {0.0}, kInfinity},
                {Op::Rsqrt, {-0.0}, -kInfinity},
                {Op::Rsqrt, {kInfinity}, 0.0},
                {Op::Rsqrt, {-1}, kNan},
                {Op::Rsqrt, {kNan}, kNan},
                {Op::Cbrt, {0.0}, 0.0},
                {Op::Cbrt, {-0.0}, -0.0},
                {Op::Cbrt, {kInfinity}, kInfinity},
                {Op::Cbrt, {-kInfinity}, -kInfinity},
                {Op::Cbrt, {kNan}, kNan},
                {Op::Cbrt, {-27}, -3},
                {Op::Cbrt, {0x1p-147}, 0x1p-49},
                {Op::Hypot, {3, -4}, 5},
                {Op::Hypot, {0.0, -0.0}, 0.0},
                {Op::Hypot, {-2, 0}, 2},
                {Op::Hypot, {kInfinity, kNan}, kInfinity},
                {Op::Hypot, {kNan, -kInfinity}, kInfinity},
                {Op::Hypot, {kNan, 1}, kNan},
                {Op::Hypot, {3 * 0x1p126, 4 * 0x1p-149}, 3 * 0x1p126}});
  CHECK(ir::as_double(compute(Op::Hypot, DType::F32, {3 * 0x1p125, 0x1p127})) == 5 * 0x1p125);
  CHECK(ir::as_double(compute(Op::Hypot, DType::F32, {3 * 0x1p-149, 4 * 0x1p-149})) ==
        5 * 0x1p-149);
  CHECK(ir::as_double(compute(Op::Hypot, DType::F64, {3 * 0x1p-1074, 4 * 0x1p-1074})) ==
        5 * 0x1p-1074);
  CHECK(ir::as_double(compute(Op::Cbrt, DType::F64, {0x1p-1074})) == 0x1p-358);
}

TEST_CASE("pow has the special cases of IEEE 754") {
  check_values({
      {Op::Pow, {kNan, 0.0}, 1},
      {Op::Pow, {kInfinity, -0.0}, 1},
      {Op::Pow, {1, kNan}, 1},
      {Op::Pow, {1, kInfinity}, 1},
      {Op::Pow, {-1, kInfinity}, 1},
      {Op::Pow, {-1, -kInfinity}, 1},
      {Op::Pow, {kNan, 2}, kNan},
      {Op::Pow, {2, kNan}, kNan},
      {Op::Pow, {0.0, kNan}, kNan},
      {Op::Pow, {0.0, -3}, kInfinity},
      {Op::Pow, {-0.0, -3}, -kInfinity},
      {Op::Pow, {-0.0, -2}, kInfinity},
      {Op::Pow, {-0.0, -2.5}, kInfinity},
      {Op::Pow, {-0.0, 3}, -0.0},
      {Op::Pow, {-0.0, 2}, 0.0},
      {Op::Pow, {0.0, 0.5}, 0.0},
      {Op::Pow, {0.0, kInfinity}, 0.0},
      {Op::Pow, {-0.0, -kInfinity}, kInfinity},
      {Op::Pow, {0.5, kInfinity}, 0.0},
      {Op::Pow, {-0.5, -kInfinity}, kInfinity},
      {Op::Pow, {2, -kInfinity}, 0.0},
      {Op::Pow, {-2, kInfinity}, kInfinity},
      {Op::Pow, {kInfinity, 0.5}, kInfinity},
      {Op::Pow, {kInfinity, -1}, 0.0},
      {Op::Pow, {-kInfinity, 3}, -kInfinity},
      {Op::Pow, {-kInfinity, 2}, kInfinity},
      {Op::Pow, {-kInfinity, 0.5}, kInfinity},
      {Op::Pow, {-kInfinity, -3}, -0.0},
      {Op::Pow, {-kInfinity, -2}, 0.0},
      {Op::Pow, {-8, 0.5}, kNan},
      {Op::Pow, {-2, 3}, -8},
      {Op::Pow, {-2, 4}, 16},
      {Op::Pow, {-2, -1}, -0.5},
      {Op::Pow, {2, 1e30}, kInfinity},
      {Op::Pow, {-2, 1e30}, kInfinity},
      {Op::Pow, {2, -1e30}, 0.0},
      {Op::Pow, {3, 4}, 81},
      {Op::Pow, {0x1p-140, 1}, 0x1p-140},
      {Op::Pow, {4, 0.5}, 2},
  });
  CHECK(ir::as_double(compute(Op::Pow, DType::F32, {2, -149})) == 0x1p-149);
  CHECK(ir::as_double(compute(Op::Pow, DType::F64, {2, -1074})) == 0x1p-1074);
  CHECK(ir::as_double(compute(Op::Pow, DType::F64, {-2, -1073})) == -0x1p-1073);
  CHECK(to_string(compute(Op::Pow, DType::F32, {-2, 129})) == "-inf");
}

TEST_CASE("erf, erfc and erfinv have their limits") {
  check_values({{Op::Erf, {0.0}, 0.0},
                {Op::Erf, {-0.0}, -0.0},
                {Op::Erf, {kInfinity}, 1},
                {Op::Erf, {-kInfinity}, -1},
                {Op::Erf, {kNan}, kNan},
                {Op::Erf, {7}, 1},
                {Op::Erfc, {0.0}, 1},
                {Op::Erfc, {-0.0}, 1},
                {Op::Erfc, {kInfinity}, 0.0},
                {Op::Erfc, {-kInfinity}, 2},
                {Op::Erfc, {kNan}, kNan},
                {Op::Erfc, {28}, 0.0},
                {Op::Erfc, {-7}, 2},
                {Op::Erfinv, {0.0}, 0.0},
                {Op::Erfinv, {-0.0}, -0.0},
                {Op::Erfinv, {1}, kInfinity},
                {Op::Erfinv, {-1}, -kInfinity},
                {Op::Erfinv, {1.5}, kNan},
                {Op::Erfinv, {kInfinity}, kNan},
                {Op::Erfinv, {kNan}, kNan}});
}

TEST_CASE("lgamma and digamma have their poles and zeros") {
  check_values({{Op::Lgamma, {1}, 0.0},
                {Op::Lgamma, {2}, 0.0},
                {Op::Lgamma, {0.0}, kInfinity},
                {Op::Lgamma, {-0.0}, kInfinity},
                {Op::Lgamma, {-3}, kInfinity},
                {Op::Lgamma, {kInfinity}, kInfinity},
                {Op::Lgamma, {-kInfinity}, kInfinity},
                {Op::Lgamma, {kNan}, kNan},
                {Op::Lgamma, {-1e20}, kInfinity},
                {Op::Digamma, {0.0}, -kInfinity},
                {Op::Digamma, {-0.0}, kInfinity},
                {Op::Digamma, {-2}, kNan},
                {Op::Digamma, {kInfinity}, kInfinity},
                {Op::Digamma, {-kInfinity}, kNan},
                {Op::Digamma, {kNan}, kNan},
                {Op::Digamma, {-1e20}, kNan}});
  CHECK(to_string(compute(Op::Lgamma, DType::F32, {1e37})) == "inf");
  CHECK(to_string(compute(Op::Lgamma, DType::F64, {1e306})) == "inf");
}

TEST_CASE("below zero lgamma and digamma are exact beside the terms of their reflections") {
  for (const Op op : {Op::Lgamma, Op::Digamma}) {
    for (const DType dtype : {DType::F32, DType::F64}) {
      const double worst = worst_reflection(op, dtype, 50'000);
      fmt::print("{} {} below 0: {:.3f} ulp\n", ir::to_string(op), to_string(dtype), worst);
      CHECK(worst <= kMaxReflectedUlp);
    }
  }
}

}  // namespace sinter::tests
