// Limits, zeros, NaN and subnormals, bit for bit.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "codegen/expand/expand.h"
#include "ir/text.h"
#include "tests/expand/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr DType kTypes[] = {DType::F32, DType::F64};

Literal evaluate(Op op, DType dtype, double x) {
  const Literal literal = ir::make_literal(dtype, x);
  return codegen::evaluate_scalar(op, {&literal, 1}, {});
}

void check_value(Op op, DType dtype, double x, double expected) {
  CAPTURE(ir::to_string(op));
  CAPTURE(x);
  CHECK(to_string(evaluate(op, dtype, x)) == to_string(ir::make_literal(dtype, expected)));
}

double smallest_subnormal(DType dtype) { return dtype == DType::F32 ? 0x1p-149 : 0x1p-1074; }

}  // namespace

TEST_CASE("exp has its limits") {
  for (const DType dtype : kTypes) {
    check_value(Op::Exp, dtype, kInf, kInf);
    check_value(Op::Exp, dtype, -kInf, 0.0);
    check_value(Op::Exp, dtype, kNan, kNan);
    check_value(Op::Exp, dtype, 0.0, 1.0);
    check_value(Op::Exp, dtype, -0.0, 1.0);
    check_value(Op::Exp, dtype, smallest_subnormal(dtype), 1.0);
    check_value(Op::Exp, dtype, 1e30, kInf);
    check_value(Op::Exp, dtype, -1e30, 0.0);
  }
}

TEST_CASE("exp overflows and underflows where the exact value does") {
  // The last f32 and f64 whose exp is finite, and the last whose exp is above half the smallest
  // subnormal.
  check_value(Op::Exp, DType::F32, 0x1.62e42ep6, 0x1.ffff08p127);
  check_value(Op::Exp, DType::F32, std::nextafterf(0x1.62e42ep6f, 100.0f), kInf);
  check_value(Op::Exp, DType::F32, -0x1.9fe368p6, 0x1p-149);
  check_value(Op::Exp, DType::F32, std::nextafterf(-0x1.9fe368p6f, -200.0f), 0.0);
  CHECK(std::isfinite(ir::as_double(evaluate(Op::Exp, DType::F64, 0x1.62e42fefa39efp9))));
  check_value(Op::Exp, DType::F64, std::nextafter(0x1.62e42fefa39efp9, 1000.0), kInf);
  check_value(Op::Exp, DType::F64, -0x1.74910d52d3051p9, 0x1p-1074);
  check_value(Op::Exp, DType::F64, std::nextafter(-0x1.74910d52d3051p9, -1000.0), 0.0);
}

TEST_CASE("log has its limits") {
  for (const DType dtype : kTypes) {
    check_value(Op::Log, dtype, 0.0, -kInf);
    check_value(Op::Log, dtype, -0.0, -kInf);
    check_value(Op::Log, dtype, kInf, kInf);
    check_value(Op::Log, dtype, -kInf, kNan);
    check_value(Op::Log, dtype, -1.0, kNan);
    check_value(Op::Log, dtype, -smallest_subnormal(dtype), kNan);
    check_value(Op::Log, dtype, kNan, kNan);
    check_value(Op::Log, dtype, 1.0, 0.0);
    const double x = smallest_subnormal(dtype);
    CHECK(ulp_error(Op::Log, dtype, x, ir::as_double(evaluate(Op::Log, dtype, x))) <= 1.0);
  }
}

TEST_CASE("tanh keeps the sign of zero and saturates") {
  for (const DType dtype : kTypes) {
    check_value(Op::Tanh, dtype, 0.0, 0.0);
    check_value(Op::Tanh, dtype, -0.0, -0.0);
    check_value(Op::Tanh, dtype, kInf, 1.0);
    check_value(Op::Tanh, dtype, -kInf, -1.0);
    check_value(Op::Tanh, dtype, 1e30, 1.0);
    check_value(Op::Tanh, dtype, -1e30, -1.0);
    check_value(Op::Tanh, dtype, kNan, kNan);
    check_value(Op::Tanh, dtype, smallest_subnormal(dtype), smallest_subnormal(dtype));
    check_value(Op::Tanh, dtype, -smallest_subnormal(dtype), -smallest_subnormal(dtype));
  }
}

}  // namespace sinter::tests
