// Distance of every expansion from the exact value, over random f32 and f64 inputs. The bar and the
// figures that this prints stand in docs/elementary_functions.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "codegen/expand/expand.h"
#include "codegen/expand/interpreter.h"
#include "tests/expand/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

constexpr double kMaxUlp = 2.0;
constexpr std::uint64_t kSeed = 20240607;

/// A function and the inputs for which its value is neither a limit nor NaN.
struct Case {
  Op op;
  double low;
  double high;
};

constexpr Case kF32Cases[] = {{Op::Exp, -104, 89}, {Op::Log, 0.25, 4}, {Op::Tanh, -10, 10}};
constexpr Case kF64Cases[] = {{Op::Exp, -746, 710}, {Op::Log, 0.25, 4}, {Op::Tanh, -20, 20}};

/// Half of the inputs are random bits (all exponents), half lie evenly in the case's range.
class Inputs {
 public:
  Inputs(const Case& c, DType dtype) : range_(c.low, c.high), dtype_(dtype) {}
  Literal next() {
    is_even_ = !is_even_;
    if (is_even_) return ir::make_literal(dtype_, range_(generator_));
    const std::uint64_t bits = generator_();
    return {dtype_, dtype_ == DType::F32 ? bits >> 32 : bits};
  }

 private:
  std::mt19937_64 generator_{kSeed};
  std::uniform_real_distribution<double> range_;
  DType dtype_;
  bool is_even_ = false;
};

bool has_number(Op op, double x) { return !std::isnan(x) && !(op == Op::Log && x <= 0); }

void check_accuracy(const Case& c, DType dtype, int count) {
  const codegen::Interpreter expansion(*codegen::expansion_of(c.op, dtype));
  Inputs inputs(c, dtype);
  double worst = 0;
  double worst_input = 0;
  for (int i = 0; i < count; ++i) {
    const Literal input = inputs.next();
    const double x = ir::as_double(input);
    if (!has_number(c.op, x) || std::isinf(x)) continue;
    const double y = ir::decode_float(dtype, expansion.evaluate(input.bits));
    const double error = std::isnan(y) ? HUGE_VAL : ulp_error(c.op, dtype, x, y);
    if (error > worst) {
      worst = error;
      worst_input = x;
    }
  }
  fmt::print("{} {}: {:.3f} ulp at {:a}\n", ir::to_string(c.op), to_string(dtype), worst,
             worst_input);
  CHECK_MESSAGE(worst <= kMaxUlp, fmt::format("{} of {:a}", ir::to_string(c.op), worst_input));
}

}  // namespace

TEST_CASE("expansions in f32 are within two ulp") {
  for (const Case& c : kF32Cases) check_accuracy(c, DType::F32, 1'000'000);
}

TEST_CASE("expansions in f64 are within two ulp") {
  for (const Case& c : kF64Cases) check_accuracy(c, DType::F64, 100'000);
}

}  // namespace sinter::tests
