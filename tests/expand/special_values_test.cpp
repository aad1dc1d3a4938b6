// Limits, zeros, NaN and subnormals, bit for bit.
#include <doctest/doctest.h>

#include <cmath>

#include "codegen/expand/expand.h"
#include "ir/text.h"
#include "support/special_values.h"
#include "tests/expand/compute.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

using support::kInfinity;
using support::kNan;
constexpr DType kTypes[] = {DType::F32, DType::F64};

void check_value(Op op, DType dtype, double x, double expected) {
  CAPTURE(ir::to_string(op));
  CAPTURE(x);
  CHECK(to_string(compute(op, dtype, {x})) == to_string(ir::make_literal(dtype, expected)));
}

double smallest_subnormal(DType dtype) { return dtype == DType::F32 ? 0x1p-149 : 0x1p-1074; }

}  // namespace

TEST_CASE("exp has its limits") {
  for (const DType dtype : kTypes) {
    check_value(Op::Exp, dtype, kInfinity, kInfinity);
    check_value(Op::Exp, dtype, -kInfinity, 0.0);
    check_value(Op::Exp, dtype, kNan, kNan);
    check_value(Op::Exp, dtype, 0.0, 1.0);
    check_value(Op::Exp, dtype, -0.0, 1.0);
    check_value(Op::Exp, dtype, smallest_subnormal(dtype), 1.0);
    check_value(Op::Exp, dtype, 1e30, kInfinity);
    check_value(Op::Exp, dtype, -1e30, 0.0);
  }
}

TEST_CASE("exp overflows and underflows where the exact value does") {
  // The last f32 and f64 whose exp is finite, and the last whose exp is above half the smallest
  // subnormal.
  check_value(Op::Exp, DType::F32, 0x1.62e42ep6, 0x1.ffff08p127);
  check_value(Op::Exp, DType::F32, std::nextafterf(0x1.62e42ep6f, 100.0f), kInfinity);
  check_value(Op::Exp, DType::F32, -0x1.9fe368p6, 0x1p-149);
  check_value(Op::Exp, DType::F32, std::nextafterf(-0x1.9fe368p6f, -200.0f), 0.0);
  CHECK(std::isfinite(ir::as_double(compute(Op::Exp, DType::F64, {0x1.62e42fefa39efp9}))));
  check_value(Op::Exp, DType::F64, std::nextafter(0x1.62e42fefa39efp9, 1000.0), kInfinity);
  check_value(Op::Exp, DType::F64, -0x1.74910d52d3051p9, 0x1p-1074);
  check_value(Op::Exp, DType::F64, std::nextafter(-0x1.74910d52d3051p9, -1000.0), 0.0);
}

TEST_CASE("log has its limits") {
  for (const DType dtype : kTypes) {
    check_value(Op::Log, dtype, 0.0, -kInfinity);
    check_value(Op::Log, dtype, -0.0, -kInfinity);
    check_value(Op::Log, dtype, kInfinity, kInfinity);
    check_value(Op::Log, dtype, -kInfinity, kNan);
    check_value(Op::Log, dtype, -1.0, kNan);
    check_value(Op::Log, dtype, -smallest_subnormal(dtype), kNan);
    check_value(Op::Log, dtype, kNan, kNan);
    check_value(Op::Log, dtype, 1.0, 0.0);
    const double x = smallest_subnormal(dtype);
    CHECK(ulp_error(Op::Log, dtype, x, ir::as_double(compute(Op::Log, dtype, {x}))) <= 1.0);
  }
}

TEST_CASE("tanh keeps the sign of zero and saturates") {
  for (const DType dtype : kTypes) {
    check_value(Op::Tanh, dtype, 0.0, 0.0);
    check_value(Op::Tanh, dtype, -0.0, -0.0);
    check_value(Op::Tanh, dtype, kInfinity, 1.0);
    check_value(Op::Tanh, dtype, -kInfinity, -1.0);
    check_value(Op::Tanh, dtype, 1e30, 1.0);
    check_value(Op::Tanh, dtype, -1e30, -1.0);
    check_value(Op::Tanh, dtype, kNan, kNan);
    check_value(Op::Tanh, dtype, smallest_subnormal(dtype), smallest_subnormal(dtype));
    check_value(Op::Tanh, dtype, -smallest_subnormal(dtype), -smallest_subnormal(dtype));
  }
}

TEST_CASE("functions have their limits, zeros and NaN") {
  constexpr double kHalfPi = 1.57079632679489661923;
  struct Row {
    Op op;
    double at_minus_infinity, at_minus_zero, at_zero, at_infinity;
  };
  constexpr Row kRows[] = {
      {Op::Exp2, 0, 1, 1, kInfinity},
      {Op::Expm1, -1, -0.0, 0, kInfinity},
      {Op::Log2, kNan, -kInfinity, -kInfinity, kInfinity},
      {Op::Log10, kNan, -kInfinity, -kInfinity, kInfinity},
      {Op::Log1p, kNan, -0.0, 0, kInfinity},
      {Op::Sin, kNan, -0.0, 0, kNan},
      {Op::Cos, kNan, 1, 1, kNan},
      {Op::Tan, kNan, -0.0, 0, kNan},
      {Op::Asin, kNan, -0.0, 0, kNan},
      {Op::Acos, kNan, kHalfPi, kHalfPi, kNan},
      {Op::Atan, -kHalfPi, -0.0, 0, kHalfPi},
      {Op::Sinh, -kInfinity, -0.0, 0, kInfinity},
      {Op::Cosh, kInfinity, 1, 1, kInfinity},
      {Op::Asinh, -kInfinity, -0.0, 0, kInfinity},
      {Op::Acosh, kNan, kNan, kNan, kInfinity},
      {Op::Atanh, kNan, -0.0, 0, kNan},
  };
  for (const DType dtype : kTypes) {
    for (const Row& row : kRows) {
      check_value(row.op, dtype, -kInfinity, row.at_minus_infinity);
      check_value(row.op, dtype, -0.0, row.at_minus_zero);
      check_value(row.op, dtype, 0.0, row.at_zero);
      check_value(row.op, dtype, kInfinity, row.at_infinity);
      check_value(row.op, dtype, kNan, kNan);
    }
  }
}

TEST_CASE("odd functions that touch the diagonal give subnormals themselves") {
  for (const DType dtype : kTypes) {
    for (const Op op : {Op::Expm1, Op::Log1p, Op::Sin, Op::Tan, Op::Asin, Op::Atan, Op::Sinh,
                        Op::Asinh, Op::Atanh}) {
      for (const double x : {1.0, 3.0, 5.0, 1e4}) {
        const double tiny = x * smallest_subnormal(dtype);
        check_value(op, dtype, tiny, tiny);
        check_value(op, dtype, -tiny, -tiny);
      }
    }
  }
}

TEST_CASE("functions are NaN outside of their domains and end where those do") {
  for (const DType dtype : kTypes) {
    const double above_one = dtype == DType::F32 ? 0x1.000002p0 : 0x1.0000000000001p0;
    for (const Op op : {Op::Asin, Op::Acos, Op::Atanh}) {
      for (const double x : {above_one, 2.0, 1e30}) {
        check_value(op, dtype, x, kNan);
        check_value(op, dtype, -x, kNan);
      }
    }
    for (const double x : {0.999, 0.5, -1.0, -2.0, -1e30}) check_value(Op::Acosh, dtype, x, kNan);
    for (const double x : {-above_one, -2.0, -1e30}) check_value(Op::Log1p, dtype, x, kNan);
    for (const Op op : {Op::Log2, Op::Log10}) {
      for (const double x : {-smallest_subnormal(dtype), -1.0}) check_value(op, dtype, x, kNan);
    }
    check_value(Op::Log1p, dtype, -1.0, -kInfinity);
    check_value(Op::Atanh, dtype, 1.0, kInfinity);
    check_value(Op::Atanh, dtype, -1.0, -kInfinity);
    check_value(Op::Acosh, dtype, 1.0, 0.0);
    check_value(Op::Acos, dtype, 1.0, 0.0);
    check_value(Op::Acos, dtype, -1.0, 3.14159265358979323846);
    check_value(Op::Asin, dtype, -1.0, -1.57079632679489661923);
  }
}

TEST_CASE("powers of two are exact both ways") {
  for (const DType dtype : kTypes) {
    const int lowest = dtype == DType::F32 ? -149 : -1074;
    const int highest = dtype == DType::F32 ? 127 : 1023;
    for (int exponent = lowest; exponent <= highest; ++exponent) {
      const double power = std::ldexp(1.0, exponent);
      check_value(Op::Exp2, dtype, exponent, power);
      check_value(Op::Log2, dtype, power, exponent);
    }
    check_value(Op::Exp2, dtype, highest + 1, kInfinity);
    check_value(Op::Exp2, dtype, lowest - 1, 0.0);
    check_value(Op::Log10, dtype, 1.0, 0.0);
  }
}

TEST_CASE("functions overflow where the exact values do") {
  for (const double sign : {1.0, -1.0}) {
    check_value(Op::Sinh, DType::F32, sign * 89.5, sign * kInfinity);
    check_value(Op::Sinh, DType::F64, sign * 710.5, sign * kInfinity);
    check_value(Op::Sinh, DType::F32, sign * 1e30, sign * kInfinity);
    check_value(Op::Cosh, DType::F32, sign * 89.5, kInfinity);
    check_value(Op::Cosh, DType::F64, sign * 1e300, kInfinity);
  }
  for (const Op op : {Op::Sinh, Op::Cosh, Op::Expm1}) {
    const bool is_expm1 = op == Op::Expm1;
    const double f32 = is_expm1 ? 88.7 : 89.4;
    const double f64 = is_expm1 ? 709.7 : 710.4;
    for (const auto& [dtype, x] : {std::pair(DType::F32, f32), std::pair(DType::F64, f64)}) {
      const double rounded = ir::as_double(ir::make_literal(dtype, x));
      CHECK(ulp_error(op, dtype, rounded, ir::as_double(compute(op, dtype, {x}))) <= 1.5);
    }
    check_value(op, DType::F32, 90.0, kInfinity);
    check_value(op, DType::F64, 711.0, kInfinity);
  }
  check_value(Op::Expm1, DType::F32, -1e30, -1.0);
  check_value(Op::Expm1, DType::F64, -50.0, -1.0);
}

TEST_CASE("the largest numbers have logarithms and angles") {
  for (const DType dtype : kTypes) {
    const double largest = dtype == DType::F32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    for (const Op op : {Op::Log2, Op::Log10, Op::Log1p, Op::Asinh, Op::Acosh, Op::Atan, Op::Sin,
                        Op::Cos, Op::Tan}) {
      CAPTURE(ir::to_string(op));
      for (const double x : {largest, largest / 2, largest / 1024}) {
        const double rounded = ir::as_double(ir::make_literal(dtype, x));
        CHECK(ulp_error(op, dtype, rounded, ir::as_double(compute(op, dtype, {x}))) <= 1.5);
      }
    }
  }
}

TEST_CASE("angles nearest to multiples of a right angle keep their relative accuracy") {
  // The f32 and the f64 closest to a multiple of pi/2: J.-M. Muller, Elementary Functions (2016),
  // chapter 11.
  const std::pair<DType, double> inputs[] = {{DType::F32, 16367173 * 0x1p72},
                                             {DType::F64, 6381956970095103 * 0x1p797},
                                             {DType::F32, 0x1.921fb6p0},
                                             {DType::F64, 0x1.921fb54442d18p0},
                                             {DType::F64, 0x1.921fb54442d18p1}};
  for (const auto& [dtype, x] : inputs) {
    for (const Op op : {Op::Sin, Op::Cos, Op::Tan}) {
      CAPTURE(x);
      CHECK(ulp_error(op, dtype, x, ir::as_double(compute(op, dtype, {x}))) <= 2.0);
      CHECK(ulp_error(op, dtype, -x, ir::as_double(compute(op, dtype, {-x}))) <= 2.0);
    }
  }
}

TEST_CASE("atan2 knows its quadrants, also of zeros and infinities") {
  constexpr double kPi = 3.14159265358979323846;
  struct Row {
    double y, x, expected;
  };
  constexpr Row kRows[] = {{0, 1, 0},
                           {0, 0, 0},
                           {0, -0.0, kPi},
                           {0, -1, kPi},
                           {1, 0, kPi / 2},
                           {1, -0.0, kPi / 2},
                           {1, 1, kPi / 4},
                           {1, -1, 3 * kPi / 4},
                           {1, kInfinity, 0},
                           {1, -kInfinity, kPi},
                           {kInfinity, 1, kPi / 2},
                           {kInfinity, -1, kPi / 2},
                           {kInfinity, kInfinity, kPi / 4},
                           {kInfinity, -kInfinity, 3 * kPi / 4},
                           {0, kInfinity, 0},
                           {0, -kInfinity, kPi},
                           {kNan, 1, kNan},
                           {1, kNan, kNan},
                           {kNan, kInfinity, kNan},
                           {kInfinity, kNan, kNan}};
  for (const DType dtype : kTypes) {
    for (const Row& row : kRows) {
      for (const double sign : {1.0, -1.0}) {
        const std::vector operands{ir::make_literal(dtype, sign * row.y),
                                   ir::make_literal(dtype, row.x)};
        const Literal angle = codegen::evaluate_scalar(Op::Atan2, operands, {});
        CAPTURE(row.x);
        CAPTURE(sign * row.y);
        CHECK(to_string(angle) == to_string(ir::make_literal(dtype, sign * row.expected)));
      }
    }
  }
}

}  // namespace sinter::tests
