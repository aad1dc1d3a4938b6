// Where legal computations may differ without limit, and where they may not.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>

#include "reference/scalar.h"
#include "support/special_values.h"

using namespace sinter;
using ir::DType;
using ir::Op;
using reference::Element;
using reference::make_real;

namespace {

using support::kInfinity;
using support::kNan;

template <std::size_t n>
Element run(Op op, const std::array<Element, n>& operands, DType result = DType::F32) {
  return reference::evaluate_scalar(op, DType::F32, result, operands);
}

Element one(Op op, const Element& a, DType result = DType::F32) {
  return run(op, std::array{a}, result);
}
Element two(Op op, const Element& a, const Element& b, DType result = DType::F32) {
  return run(op, std::array{a, b}, result);
}

}  // namespace

TEST_CASE("floor, round and casts are undecided only across a step") {
  CHECK(one(Op::Floor, make_real(2.0, 1e-6)).is_undecided());
  CHECK(one(Op::Floor, make_real(2.5, 1e-6)).is_exact());
  CHECK(one(Op::Round, make_real(2.5, 1e-6)).is_undecided());
  CHECK(one(Op::Round, make_real(2.0, 1e-6)).is_exact());
  CHECK(one(Op::Cast, make_real(2.0, 1e-6), DType::I32).is_undecided());
  CHECK(one(Op::Cast, make_real(0.0, 1e-6), DType::I32).is_exact());
  CHECK(one(Op::Cast, make_real(0.0, 1e-6), DType::Bool).is_undecided());
}

TEST_CASE("a bitcast is undecided where the bits are, and to the same type keeps the bound") {
  CHECK(one(Op::Bitcast, make_real(1.1, 1e-6), DType::U32).is_undecided());
  CHECK(one(Op::Bitcast, make_real(1.1, 1e-6)).bound >= 1e-6);
  CHECK(one(Op::Bitcast, make_real(1.5)).is_exact());
}

TEST_CASE("comparisons are undecided where the intervals touch") {
  CHECK(two(Op::Lt, make_real(1, 1e-6), make_real(1 + 1e-7), DType::Bool).is_undecided());
  CHECK(two(Op::Eq, make_real(1, 1e-6), make_real(1), DType::Bool).is_undecided());
  CHECK_FALSE(two(Op::Lt, make_real(1, 1e-6), make_real(2), DType::Bool).is_undecided());
  CHECK_FALSE(two(Op::Eq, make_real(1), make_real(1), DType::Bool).is_undecided());
}

TEST_CASE("a select on an undecided condition lies between its branches") {
  Element condition = reference::make_bits(1);
  condition.bound = kInfinity;

  const Element near = run(Op::Select, std::array{condition, make_real(0), make_real(1e-7)});
  const Element far = run(Op::Select, std::array{condition, make_real(0), make_real(kInfinity)});
  const Element same = run(Op::Select, std::array{condition, make_real(3), make_real(3)});

  CHECK(near.bound == doctest::Approx(1e-7));
  CHECK(far.is_undecided());
  CHECK(same.is_exact());
}

TEST_CASE("divisors, roots and logarithms near zero are undecided") {
  CHECK(two(Op::Div, make_real(1), make_real(1e-9, 1e-8)).is_undecided());
  CHECK(one(Op::Sqrt, make_real(1e-9, 1e-8)).is_undecided());
  CHECK(one(Op::Log, make_real(1e-9, 1e-8)).is_undecided());
  CHECK(one(Op::Sqrt, make_real(-1, 1e-8)).is_certain_nan());
  CHECK(std::isinf(two(Op::Div, make_real(1), make_real(0)).real));
}

TEST_CASE("functions are undecided over the ends of their domains, poles and jumps") {
  for (const auto& [op, end] :
       {std::pair(Op::Log2, 0.0), std::pair(Op::Log10, 0.0), std::pair(Op::Log1p, -1.0),
        std::pair(Op::Asin, 1.0), std::pair(Op::Acos, -1.0), std::pair(Op::Acosh, 1.0),
        std::pair(Op::Atanh, 1.0), std::pair(Op::Tan, 1.5707963)}) {
    CAPTURE(ir::to_string(op));
    CHECK(one(op, make_real(end, 1e-6)).is_undecided());
  }
  CHECK(one(Op::Asin, make_real(2, 1e-6)).is_certain_nan());
  CHECK(one(Op::Acosh, make_real(0, 1e-6)).is_certain_nan());
  CHECK(one(Op::Tan, make_real(0, 4)).is_undecided());
  CHECK_FALSE(one(Op::Tan, make_real(1.5, 1e-3)).is_undecided());
  CHECK(two(Op::Atan2, make_real(0, 1e-6), make_real(-1)).is_undecided());
  CHECK(two(Op::Atan2, make_real(0), make_real(0, 1e-6)).is_undecided());
  CHECK_FALSE(two(Op::Atan2, make_real(0), make_real(-1, 1e-6)).is_undecided());
  CHECK_FALSE(two(Op::Atan2, make_real(0, 1e-6), make_real(1, 1e-6)).is_undecided());
}

TEST_CASE("bounds of functions that are not monotone hold over the whole interval") {
  CHECK(one(Op::Sin, make_real(1e6, 0.25)).bound == doctest::Approx(0.25).epsilon(0.01));
  CHECK(one(Op::Cos, make_real(1, 100)).bound == doctest::Approx(2).epsilon(0.01));
  // Around 0 cosh falls to 1, however close the ends' values are to that in the middle.
  const Element around_zero = one(Op::Cosh, make_real(0.5, 1));
  CHECK(around_zero.real - around_zero.bound <= 1.0L);
  CHECK(around_zero.real + around_zero.bound >= std::cosh(1.5L));
  const Element angle = two(Op::Atan2, make_real(1, 0.5), make_real(0, 1));
  CHECK(angle.bound >= static_cast<double>(std::atan2(0.5L, -1.0L) - std::atan2(1.0L, 0.0L)));
}

TEST_CASE("roots, powers and the functions around erf and Gamma are undecided over their poles") {
  CHECK(one(Op::Rsqrt, make_real(0, 1e-6)).is_undecided());
  CHECK(one(Op::Erfinv, make_real(1, 1e-6)).is_undecided());
  CHECK(one(Op::Lgamma, make_real(-2, 1e-6)).is_undecided());
  CHECK(one(Op::Digamma, make_real(-2, 1e-6)).is_undecided());
  CHECK(two(Op::Pow, make_real(-2), make_real(3, 1e-6)).is_undecided());
  CHECK(two(Op::Pow, make_real(0, 1e-6), make_real(2)).is_undecided());
  CHECK_FALSE(two(Op::Pow, make_real(-2, 1e-6), make_real(3)).is_undecided());
  CHECK_FALSE(two(Op::Pow, make_real(0, 1e-6), make_real(0)).is_undecided());
  CHECK_FALSE(one(Op::Lgamma, make_real(-2.5, 1e-6)).is_undecided());
  CHECK_FALSE(one(Op::Digamma, make_real(-2.5, 1e-6)).is_undecided());
  CHECK_FALSE(two(Op::Hypot, make_real(0, 1e-6), make_real(0)).is_undecided());
}

TEST_CASE("bounds of powers and of Gamma follow from the slope") {
  // 2^(3 +- 0.1) reaches 8.57, and the minimum of lgamma lies inside [1, 2].
  CHECK(two(Op::Pow, make_real(2), make_real(3, 0.1)).bound ==
        doctest::Approx(0.574).epsilon(0.01));
  CHECK(one(Op::Lgamma, make_real(1.5, 0.4)).bound >= 0.12);
  CHECK(two(Op::Hypot, make_real(3, 0.1), make_real(4, 0.1)).bound >= 0.14);
}

TEST_CASE("overflow is certain, impossible or undecided") {
  CHECK(std::isinf(one(Op::Exp, make_real(90)).real));
  CHECK_FALSE(one(Op::Exp, make_real(90)).is_undecided());
  CHECK(one(Op::Exp, make_real(88.7228391L)).is_undecided());
  CHECK(std::isfinite(one(Op::Exp, make_real(88)).real));
}

TEST_CASE("a certain NaN wins over an undecided operand") {
  const Element undecided = make_real(1, kInfinity);

  CHECK(two(Op::Add, undecided, make_real(kNan)).is_certain_nan());
  CHECK(two(Op::Maximum, undecided, make_real(kNan)).is_certain_nan());
  CHECK_FALSE(two(Op::Eq, undecided, make_real(kNan), DType::Bool).is_undecided());
  CHECK(two(Op::Mul, undecided, make_real(0)).is_undecided());
}

TEST_CASE("exact results of exact operands stay exact") {
  CHECK(two(Op::Add, make_real(1), make_real(2)).is_exact());
  CHECK(two(Op::Mul, make_real(0.5), make_real(3)).is_exact());
  CHECK_FALSE(two(Op::Div, make_real(1), make_real(3)).is_exact());
}
