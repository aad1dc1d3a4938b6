// Distance of every expansion from the exact value, over random f32 and f64 inputs. The program `ulp` does the
// same on a device, over many more.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "codegen/expand/expand.h"
#include "codegen/expand/interpreter.h"
#include "tests/support/function_table.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;

namespace {

constexpr std::uint64_t kSeed = 20240607;

/// Half of the inputs are random bits (all exponents), half lie evenly in a range.
class Inputs {
 public:
  Inputs(const Range& range, DType dtype) : range_(range.low, range.high), dtype_(dtype) {}
  Literal next() {
    const bool is_even = generator_() % 2 == 0;
    if (is_even) return ir::make_literal(dtype_, range_(generator_));
    const std::uint64_t bits = generator_();
    return {dtype_, dtype_ == DType::F32 ? bits >> 32 : bits};
  }

 private:
  std::mt19937_64 generator_{kSeed};
  std::uniform_real_distribution<double> range_;
  DType dtype_;
};

/// The worst of `count` random inputs.
struct Worst {
  double error = 0;
  std::vector<double> input;
};

/// Whether the error can be the worst so far: in f32 the library's f64 functions tell most inputs.
bool can_be_worst(const FunctionCase& c, DType dtype, double x, double y, double worst) {
  if (dtype != DType::F32 || c.library == nullptr) return true;
  const double exact = c.library(x);
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return !(std::fabs(y - exact) <= (worst - 0.01) * std::ldexp(1.0, exponent - 23));
}

Worst find_worst(const FunctionCase& c, DType dtype, int count) {
  const codegen::Interpreter expansion(*codegen::expansion_of(c.op, dtype));
  const auto arity = static_cast<std::size_t>(ir::info(c.op).arity);
  Inputs inputs(dtype == DType::F32 ? c.f32 : c.f64, dtype);
  Worst worst;
  for (int i = 0; i < count; ++i) {
    std::vector<std::uint64_t> bits;
    std::vector<double> x;
    for (std::size_t operand = 0; operand < arity; ++operand) {
      const Literal input = inputs.next();
      bits.push_back(input.bits);
      x.push_back(ir::as_double(input));
    }
    if (std::any_of(x.begin(), x.end(), [](double v) { return !std::isfinite(v); })) continue;
    if (c.has_reflection && x[0] < 0) continue;
    const double y = ir::decode_float(dtype, expansion.evaluate(bits));
    if (!can_be_worst(c, dtype, x[0], y, worst.error)) continue;
    const double error = ulp_error(c.op, dtype, x, y);
    if (error > worst.error) worst = {error, x};
  }
  return worst;
}

void check_accuracy(const FunctionCase& c, DType dtype, int count) {
  const Worst worst = find_worst(c, dtype, count);
  std::string at;
  for (const double x : worst.input) at += fmt::format(" {:a}", x);
  fmt::print("{} {}: {:.3f} ulp at{}\n", ir::to_string(c.op), to_string(dtype), worst.error, at);
  CHECK_MESSAGE(worst.error <= stated_ulp(c, dtype), ir::to_string(c.op), " of", at);
}

}  // namespace

TEST_CASE("expansions in f32 are within the stated error") {
  for (const FunctionCase& c : kFunctionCases) check_accuracy(c, DType::F32, 1'000'000);
}

TEST_CASE("expansions in f64 are within the stated error") {
  for (const FunctionCase& c : kFunctionCases) check_accuracy(c, DType::F64, 100'000);
}

}  // namespace sinter::tests
