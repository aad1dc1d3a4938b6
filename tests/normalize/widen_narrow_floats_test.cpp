// Rounding becomes explicit.
#include "codegen/normalize/widen_narrow_floats.h"

#include <doctest/doctest.h>

#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

void check(const std::string& input, const std::string& expected,
           codegen::Rounding rounding = codegen::Rounding::Outputs) {
  codegen::NormalizeOptions options;
  options.rounding = rounding;
  check_pass(codegen::widen_narrow_floats, input, expected, options);
}

const std::string kChain = R"((%x: bf16[n], %y: bf16[n]) {
  %0: bf16[n] = add(%x, %y)
  %1: bf16[n] = mul(%0, %y)
  return %1
})";

}  // namespace

TEST_CASE("narrow arithmetic is done in f32 and only the output is rounded") {
  check(kChain, R"((%x: bf16[n], %y: bf16[n]) {
  %0: f32[n] = cast(%x) {dtype: f32}
  %1: f32[n] = cast(%y) {dtype: f32}
  %2: f32[n] = add(%0, %1)
  %3: f32[n] = mul(%2, %1)
  %4: bf16[n] = cast(%3) {dtype: bf16}
  return %4
})");
}

TEST_CASE("with rounding each every node is rounded") {
  check(kChain, R"((%x: bf16[n], %y: bf16[n]) {
  %0: f32[n] = cast(%x) {dtype: f32}
  %1: f32[n] = cast(%y) {dtype: f32}
  %2: f32[n] = add(%0, %1)
  %3: bf16[n] = cast(%2) {dtype: bf16}
  %4: f32[n] = cast(%3) {dtype: f32}
  %5: f32[n] = mul(%4, %1)
  %6: bf16[n] = cast(%5) {dtype: bf16}
  return %6
})",
        codegen::Rounding::Each);
}

TEST_CASE("consumers of an output see the rounded value") {
  check(R"((%x: f16[n]) {
  %0: f16[n] = exp(%x)
  %1: f16[n] = neg(%0)
  return %0, %1
})",
        R"((%x: f16[n]) {
  %0: f32[n] = cast(%x) {dtype: f32}
  %1: f32[n] = exp(%0)
  %2: f16[n] = cast(%1) {dtype: f16}
  %3: f32[n] = cast(%2) {dtype: f32}
  %4: f32[n] = neg(%3)
  %5: f16[n] = cast(%4) {dtype: f16}
  return %2, %5
})");
}

TEST_CASE("a cast to a narrow type rounds and a cast to f32 does not") {
  check(R"((%x: f32[n], %y: bf16[n]) {
  %0: bf16[n] = cast(%x) {dtype: bf16}
  %1: bf16[n] = add(%0, %y)
  %2: f32[n] = cast(%1) {dtype: f32}
  return %2
})",
        R"((%x: f32[n], %y: bf16[n]) {
  %0: bf16[n] = cast(%x) {dtype: bf16}
  %1: f32[n] = cast(%0) {dtype: f32}
  %2: f32[n] = cast(%y) {dtype: f32}
  %3: f32[n] = add(%1, %2)
  return %3
})");
}

TEST_CASE("views and selections of narrow parameters stay narrow") {
  check(R"((%c: bool[n], %x: f8e5m2[n], %y: f8e5m2[n]) {
  %0: f8e5m2[n] = slice(%x) {shape: [n], begin: [n - 1], step: [-1]}
  %1: f8e5m2[n] = select(%c, %0, %y)
  return %1
})",
        R"((%c: bool[n], %x: f8e5m2[n], %y: f8e5m2[n]) {
  %0: f8e5m2[n] = slice(%x) {shape: [n], begin: [n - 1], step: [-1]}
  %1: f8e5m2[n] = select(%c, %0, %y)
  return %1
})");
}

TEST_CASE("constants, comparisons and bits") {
  check(R"((%x: bf16[n]) {
  %0: bf16 = constant() {value: 1.5: bf16}
  %1: bf16[n] = broadcast(%0) {shape: [n]}
  %2: bf16[n] = add(%x, %1)
  %3: bool[n] = lt(%2, %1)
  %4: i16[n] = bitcast(%2) {dtype: i16}
  return %3, %4
})",
        R"((%x: bf16[n]) {
  %0: f32 = constant() {value: 1.5: f32}
  %1: f32[n] = broadcast(%0) {shape: [n]}
  %2: f32[n] = cast(%x) {dtype: f32}
  %3: f32[n] = add(%2, %1)
  %4: bool[n] = lt(%3, %1)
  %5: bf16[n] = cast(%3) {dtype: bf16}
  %6: i16[n] = bitcast(%5) {dtype: i16}
  return %4, %6
})");
}

TEST_CASE("products and sums accumulate in f32") {
  check(R"((%x: bf16[m, k], %w: bf16[k, n], %v: f8e4m3[m, k], %u: f8e4m3[k, n]) {
  %0: bf16[m, n] = matmul(%x, %w) {precision: split}
  %1: bf16[m] = sum(%0) {axes: [1]}
  %2: f32[m, n] = matmul(%v, %u) {precision: split}
  return %1, %2
})",
        R"((%x: bf16[m, k], %w: bf16[k, n], %v: f8e4m3[m, k], %u: f8e4m3[k, n]) {
  %0: f32[m, k] = cast(%x) {dtype: f32}
  %1: f32[k, n] = cast(%w) {dtype: f32}
  %2: f32[m, n] = matmul(%0, %1) {precision: split}
  %3: f32[m] = sum(%2) {axes: [1]}
  %4: bf16[m] = cast(%3) {dtype: bf16}
  %5: f32[m, k] = cast(%v) {dtype: f32}
  %6: f32[k, n] = cast(%u) {dtype: f32}
  %7: f32[m, n] = matmul(%5, %6) {precision: split}
  return %4, %7
})");
}

TEST_CASE("functions of reductions are widened") {
  check(R"((%x: f16[n]) {
  %0: f16 = reduce(%x) {axes: [0], reducer: fn(%a: f16, %b: f16) { %0: f16 = add(%a, %b) %1: f16 = abs(%0) return %1 } from [0.0: f16]}
  return %0
})",
        R"((%x: f16[n]) {
  %0: f32[n] = cast(%x) {dtype: f32}
  %1: f32 = reduce(%0) {axes: [0], reducer: fn(%a: f32, %b: f32) { %0: f32 = add(%a, %b) %1: f32 = abs(%0) return %1 } from [0.0: f32]}
  %2: f16 = cast(%1) {dtype: f16}
  return %2
})");
}

TEST_CASE("integers and wide floats are left alone") {
  const std::string text = R"((%x: i8[n], %y: f32[n]) {
  %0: i8[n] = add(%x, %x)
  %1: f32[n] = exp(%y)
  return %0, %1
})";

  check(text, text);
}

TEST_CASE("a narrow sum in a named type") {
  check(R"((%x: f8e4m3[n]) {
  %0: bf16 = sum(%x) {dtype: bf16, axes: [0]}
  %1: f32 = sum(%x) {dtype: f32, axes: [0]}
  return %0, %1
})",
        R"((%x: f8e4m3[n]) {
  %0: f32[n] = cast(%x) {dtype: f32}
  %1: f32 = sum(%0) {dtype: f32, axes: [0]}
  %2: bf16 = cast(%1) {dtype: bf16}
  %3: f32 = sum(%0) {dtype: f32, axes: [0]}
  return %2, %3
})");
}

}  // namespace sinter::tests
