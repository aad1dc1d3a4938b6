// Every f32 input of every function of one operand, compiled for the CPU, against the f64 functions of
// the C library. Takes minutes a function, so it runs only when asked for:
//   test_expand --no-skip -tc="every f32*"
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "ir/op.h"
#include "sinter/compile.h"
#include "tests/support/function_table.h"

namespace sinter::tests {

namespace {

constexpr std::uint32_t kChunk = 1U << 20;

/// |y - exact| in units of the last place of f32 at `exact`. Overflow to the infinity counts as 2^128.
double ulp_error_f32(float y, double exact) {
  if (std::isnan(exact) || std::isnan(y)) {
    return std::isnan(exact) == std::isnan(y) ? 0.0 : HUGE_VAL;
  }
  if (static_cast<double>(y) == exact) return 0.0;
  if (std::isinf(y) && std::fabs(exact) >= 0x1p128 && std::signbit(y) == std::signbit(exact)) {
    return 0.0;
  }
  const double value = std::isinf(y) ? std::copysign(0x1p128, y) : static_cast<double>(y);
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::ldexp(std::fabs(value - exact), 23 - exponent);
}

struct WorstFloat {
  double error = 0;
  float input = 0;
};

/// Chunks of neighbours, `step` of them apart.
WorstFloat find_worst(const FunctionCase& c, std::uint64_t step) {
  const std::string text =
      fmt::format("graph every(%x: f32[{0}]) {{\n  %0: f32[{0}] = {1}(%x)\n  return %0\n}}\n",
                  kChunk, ir::to_string(c.op));
  const Device device = Device::cpu();
  const Executable function = compile_text(text, device);
  const Stream stream = device.make_stream();
  Buffer x = device.allocate(kChunk * sizeof(float));
  Buffer y = device.allocate(kChunk * sizeof(float));
  auto* inputs = static_cast<float*>(x.data());
  const auto* outputs = static_cast<const float*>(y.data());
  const std::vector in{x.view(DType::F32, {kChunk})};
  const std::vector out{y.view(DType::F32, {kChunk})};

  WorstFloat worst;
  for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += kChunk * step) {
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      inputs[i] = std::bit_cast<float>(static_cast<std::uint32_t>(first + i));
    }
    function.run(stream, in, out);
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      const double exact = c.library(static_cast<double>(inputs[i]));
      const double error = ulp_error_f32(outputs[i], exact);
      if (error > worst.error) worst = {error, inputs[i]};
    }
  }
  return worst;
}

void check_ulp(std::uint64_t step) {
  for (const FunctionCase& c : kFunctionCases) {
    if (c.library == nullptr) continue;
    const WorstFloat worst = find_worst(c, step);
    fmt::print("{}: {:.3f} ulp at {:a}\n", ir::to_string(c.op), worst.error, worst.input);
    CHECK_MESSAGE(worst.error <= stated_ulp(c, DType::F32), ir::to_string(c.op));
  }
}

}  // namespace

TEST_CASE("some chunks of neighbouring f32 are within the stated error") { check_ulp(1024); }

TEST_CASE("every f32 is within the stated error" * doctest::skip()) { check_ulp(1); }

}  // namespace sinter::tests
