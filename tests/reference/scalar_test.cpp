// Every pointwise operator on values worked out by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include "ir/op.h"
#include "reference/rounding.h"
#include "reference/scalar.h"
#include "support/special_values.h"

using namespace sinter;
using ir::DType;
using ir::Op;
using reference::Element;

namespace {

using support::kInfinity;
using support::kNan;

/// Operands and result as numbers of `dtype` (`result` for the result; a select's condition is bool).
struct ScalarCase {
  Op op;
  DType dtype;
  std::vector<double> operands;
  double expected;
  DType result = DType::Bool;  // Bool: as dtype, but for comparisons
};

Element element_of(DType dtype, double value) {
  if (ir::is_float(dtype)) return reference::make_real(value);
  return reference::make_bits(reference::wrap_to(
      dtype, value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                       : static_cast<std::uint64_t>(value)));
}

double number_of(DType dtype, const Element& element) {
  if (ir::is_float(dtype)) return static_cast<double>(element.real);
  return static_cast<double>(reference::integer_value(dtype, element.bits));
}

const std::vector<ScalarCase>& scalar_cases() {
  using enum Op;
  static const std::vector<ScalarCase> kCases = {
      {Neg, DType::F32, {0.0}, -0.0},
      {Neg, DType::I8, {-128}, -128},
      {Neg, DType::U8, {1}, 255},
      {Abs, DType::F32, {-0.0}, 0.0},
      {Abs, DType::I32, {-2147483648.0}, -2147483648.0},
      {Sqrt, DType::F32, {-0.0}, -0.0},
      {Sqrt, DType::F64, {-1}, kNan},
      {Sqrt, DType::F64, {6.25}, 2.5},
      {Rsqrt, DType::F32, {4}, 0.5},
      {Rsqrt, DType::F32, {-0.0}, -kInfinity},
      {Rsqrt, DType::F32, {-1}, kNan},
      {Cbrt, DType::F64, {-27}, -3},
      {Hypot, DType::F32, {kInfinity, kNan}, kInfinity},
      {Hypot, DType::F64, {3, 4}, 5},
      {Pow, DType::F32, {-2, 3}, -8},
      {Pow, DType::F32, {kNan, 0}, 1},
      {Pow, DType::F32, {-0.0, -3}, -kInfinity},
      {Pow, DType::F32, {-8, 0.5}, kNan},
      {Erf, DType::F32, {-0.0}, -0.0},
      {Erf, DType::F32, {-kInfinity}, -1},
      {Erfc, DType::F32, {kInfinity}, 0},
      {Erfinv, DType::F32, {-1}, -kInfinity},
      {Erfinv, DType::F32, {2}, kNan},
      {Lgamma, DType::F32, {1}, 0},
      {Lgamma, DType::F32, {-3}, kInfinity},
      {Digamma, DType::F32, {0.0}, -kInfinity},
      {Digamma, DType::F32, {-2}, kNan},
      {Digamma, DType::F64, {1}, -0.57721566490153286061},
      {Floor, DType::F32, {-1.5}, -2},
      {Floor, DType::F32, {-0.0}, -0.0},
      {Round, DType::F32, {2.5}, 2},
      {Round, DType::F32, {-0.4}, -0.0},
      {Exp, DType::F32, {0}, 1},
      {Exp, DType::F32, {-kInfinity}, 0},
      {Exp, DType::F32, {100}, kInfinity},
      {Log, DType::F32, {0}, -kInfinity},
      {Log, DType::F32, {-1}, kNan},
      {Log, DType::F32, {1}, 0},
      {Tanh, DType::F32, {-0.0}, -0.0},
      {Tanh, DType::F32, {kInfinity}, 1},
      {Exp2, DType::F32, {-3}, 0.125},
      {Expm1, DType::F32, {-0.0}, -0.0},
      {Expm1, DType::F32, {-kInfinity}, -1},
      {Log2, DType::F64, {8}, 3},
      {Log2, DType::F32, {-1}, kNan},
      {Log1p, DType::F32, {-1}, -kInfinity},
      {Log1p, DType::F32, {-2}, kNan},
      {Log10, DType::F64, {1000}, 3},
      {Sin, DType::F32, {-0.0}, -0.0},
      {Sin, DType::F32, {kInfinity}, kNan},
      {Cos, DType::F32, {0}, 1},
      {Tan, DType::F32, {-0.0}, -0.0},
      {Sinh, DType::F32, {-kInfinity}, -kInfinity},
      {Cosh, DType::F32, {-kInfinity}, kInfinity},
      {Cosh, DType::F32, {0}, 1},
      {Asin, DType::F32, {1.5}, kNan},
      {Acos, DType::F32, {1}, 0},
      {Atan, DType::F32, {-0.0}, -0.0},
      {Atan, DType::F64, {kInfinity}, 1.57079632679489661923},
      {Atan2, DType::F32, {-0.0, 1}, -0.0},
      {Atan2, DType::F64, {-0.0, -1}, -3.14159265358979323846},
      {Asinh, DType::F32, {-kInfinity}, -kInfinity},
      {Acosh, DType::F32, {1}, 0},
      {Acosh, DType::F32, {0.5}, kNan},
      {Atanh, DType::F32, {-1}, -kInfinity},
      {Atanh, DType::F32, {2}, kNan},
      {Not, DType::Bool, {1}, 0},
      {Not, DType::I8, {5}, -6},
      {Add, DType::F32, {1, 2}, 3},
      {Add, DType::I8, {127, 1}, -128},
      {Add, DType::F32, {kInfinity, -kInfinity}, kNan},
      {Sub, DType::U8, {0, 1}, 255},
      {Sub, DType::F32, {0.0, 0.0}, 0.0},
      {Mul, DType::F32, {0, kInfinity}, kNan},
      {Mul, DType::I32, {65536, 65536}, 0},
      {Div, DType::F32, {-1, 0}, -kInfinity},
      {Div, DType::F64, {7, 2}, 3.5},
      {FloorDiv, DType::I32, {-6, 5}, -2},
      {FloorDiv, DType::I32, {6, -5}, -2},
      {FloorDiv, DType::I32, {-7, 3}, -3},
      {FloorDiv, DType::I32, {7, 0}, 0},
      {FloorDiv, DType::I8, {-128, -1}, -128},
      {FloorDiv, DType::U8, {250, 7}, 35},
      {Mod, DType::I32, {-6, 5}, 4},
      {Mod, DType::I32, {6, -5}, -4},
      {Mod, DType::I32, {-7, 3}, 2},
      {Mod, DType::I32, {7, 0}, 7},
      {Minimum, DType::F32, {1, kNan}, kNan},
      {Minimum, DType::F32, {0.0, -0.0}, -0.0},
      {Minimum, DType::U8, {200, 100}, 100},
      {Maximum, DType::F32, {kNan, kInfinity}, kNan},
      {Maximum, DType::F32, {-0.0, 0.0}, 0.0},
      {Maximum, DType::I8, {-1, 1}, 1},
      {And, DType::I8, {-1, 6}, 6},
      {Or, DType::Bool, {0, 1}, 1},
      {Xor, DType::U8, {255, 15}, 240},
      {ShiftLeft, DType::I8, {1, 7}, -128},
      {ShiftLeft, DType::I32, {1, 32}, 0},
      {ShiftLeft, DType::I32, {1, -1}, 0},
      {ShiftRight, DType::I32, {-8, 1}, -4},
      {ShiftRight, DType::I32, {-8, 99}, -1},
      {ShiftRight, DType::U8, {255, 8}, 0},
      {Eq, DType::F32, {kNan, kNan}, 0},
      {Ne, DType::F32, {kNan, 1}, 1},
      {Lt, DType::I8, {-1, 1}, 1},
      {Le, DType::F32, {-0.0, 0.0}, 1},
      {Gt, DType::U8, {255, 1}, 1},
      {Ge, DType::F32, {1, kNan}, 0},
      {Select, DType::F32, {1, -0.0, 5}, -0.0},
      {Select, DType::I32, {0, 3, 5}, 5},
      {Fma, DType::F32, {2, 3, 4}, 10},
      {Cast, DType::F32, {kNan}, 0, DType::I32},
      {Cast, DType::F32, {-2.9}, -2, DType::I32},
      {Cast, DType::F32, {300}, 255, DType::U8},
      {Cast, DType::F32, {-1}, 0, DType::U8},
      {Cast, DType::F32, {kInfinity}, 127, DType::I8},
      {Cast, DType::I32, {300}, 44, DType::U8},
      {Cast, DType::I32, {16777217}, 16777216, DType::F32},
      {Cast, DType::F32, {464}, 448, DType::F8E4M3},
      {Cast, DType::F32, {-1000}, -448, DType::F8E4M3},
      {Cast, DType::F32, {65520}, kInfinity, DType::F16},
      {Cast, DType::F32, {1.00390625}, 1, DType::BF16},
      {Bitcast, DType::F32, {1}, 1065353216, DType::I32},
      {Bitcast, DType::I16, {16256}, 1, DType::BF16},
  };
  return kCases;
}

DType result_of(const ScalarCase& test) {
  if (test.result != DType::Bool) return test.result;
  return ir::info(test.op).op_class == ir::OpClass::Compare ? DType::Bool : test.dtype;
}

}  // namespace

TEST_CASE("pointwise operators give the values of the table") {
  for (const ScalarCase& test : scalar_cases()) {
    CAPTURE(ir::to_string(test.op));
    CAPTURE(to_string(test.dtype));
    CAPTURE(test.expected);
    std::vector<Element> operands;
    for (const double operand : test.operands) {
      const bool condition = test.op == Op::Select && operands.empty();
      operands.push_back(element_of(condition ? DType::Bool : test.dtype, operand));
    }

    const DType result = result_of(test);
    const Element element = reference::evaluate_scalar(test.op, test.dtype, result, operands);

    CHECK_FALSE(element.is_undecided());
    const double number = number_of(result, element);
    if (std::isnan(test.expected)) {
      CHECK(std::isnan(number));
    } else {
      CHECK(number == test.expected);
      CHECK(std::signbit(number) == std::signbit(test.expected));
    }
  }
}

TEST_CASE("the table holds every pointwise operator") {
  std::set<Op> tested;
  for (const ScalarCase& test : scalar_cases()) tested.insert(test.op);

  for (const ir::OpInfo& row : ir::all_ops()) {
    CAPTURE(row.text);
    CHECK(tested.contains(row.op) == ir::is_pointwise(row.op));
  }
}

TEST_CASE("to bool is not zero, and NaN is not zero") {
  const auto to_bool = [](double value) {
    const Element element = reference::make_real(value);
    return reference::evaluate_scalar(Op::Cast, DType::F32, DType::Bool, {&element, 1}).bits;
  };

  CHECK(to_bool(-0.0) == 0);
  CHECK(to_bool(0.5) == 1);
  CHECK(to_bool(kNan) == 1);
}

TEST_CASE("a bitcast of NaN is undecided, as payloads are unspecified") {
  const Element nan = reference::make_real(kNan);

  CHECK(reference::evaluate_scalar(Op::Bitcast, DType::F32, DType::U32, {&nan, 1}).is_undecided());
}
