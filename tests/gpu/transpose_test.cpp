// The schedule transpose on a GPU: classes and configs on whole numbers against the interpreter of kernels.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/gpu/gpu_kernel.h"

namespace sinter::tests {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

/// Each `step`-th config of every class that dense tensors are in, and tensors of any strides.
void check_transposes(const std::string& text, const Sizes& sizes, std::size_t step = 5) {
  check_configs_on_gpu("transpose", text, sizes, {.step = step, .is_spread = true});
}

std::string copied(const std::string& dtype) {
  return fmt::format(
      "graph g(%x: {0}[m, n]) {{\n"
      "  %0: {0}[n, m] = permute(%x) {{axes: [1, 0]}}\n  return %0\n}}\n",
      dtype);
}

}  // namespace

TEST_CASE("transposed tensors of every width, whole tiles and not") {
  for (const char* dtype : {"f32", "bf16", "i8", "bool", "f64"}) {
    for (const auto& [m, n] :
         {std::pair{1, 1}, {7, 24}, {63, 65}, {129, 64}, {1000, 48}, {0, 5}, {256, 304}}) {
      CAPTURE(m);
      CAPTURE(n);
      check_transposes(copied(dtype), {{"m", m}, {"n", n}}, m * n > 10'000 ? 7 : 20);
    }
  }
}

TEST_CASE("operands and results of both orders, in batches, with broadcasts") {
  for (const char* dtype : {"f32", "bf16"}) {
    const std::string text = fmt::format(
        "graph g(%x: {0}[b, m, n], %y: {0}[b, n, m], %w: {0}[m], %v: {0}[n, 1]) {{\n"
        "  %0: {0}[b, n, m] = permute(%x) {{axes: [0, 2, 1]}}\n"
        "  %1: {0}[b, n, m] = add(%0, %y)\n"
        "  %2: {0}[b, n, m] = broadcast(%w) {{shape: [b, n, m]}}\n"
        "  %3: {0}[b, n, m] = add(%1, %2)\n"
        "  %4: {0}[b, n, m] = broadcast(%v) {{shape: [b, n, m]}}\n"
        "  %5: {0}[b, n, m] = add(%3, %4)\n"
        "  %6: {0}[b, m, n] = permute(%5) {{axes: [0, 2, 1]}}\n  return %5, %6\n}}\n",
        dtype);
    check_transposes(text, {{"b", 3}, {"m", 72}, {"n", 136}});
    check_transposes(text, {{"b", 2}, {"m", 63}, {"n", 129}});
  }
}

TEST_CASE("permutations of images") {
  const std::string to_last = R"(graph g(%x: bf16[b, c, h, w]) {
    %0: bf16[b, h, w, c] = permute(%x) {axes: [0, 2, 3, 1]}
    return %0
  })";
  check_transposes(to_last, {{"b", 2}, {"c", 64}, {"h", 14}, {"w", 14}});
  check_transposes(to_last, {{"b", 1}, {"c", 3}, {"h", 31}, {"w", 65}});
  check_transposes(R"(graph g(%x: f32[b, c, h, w]) {
    %0: f32[w, h, c, b] = permute(%x) {axes: [3, 2, 1, 0]}
    return %0
  })",
                   {{"b", 40}, {"c", 3}, {"h", 5}, {"w", 72}});
}

TEST_CASE("operands of several dtypes, a predicate as the result") {
  check_transposes(R"(graph g(%x: bf16[m, n], %y: f32[n, m], %z: i8[m, n]) {
    %0: bf16[n, m] = permute(%x) {axes: [1, 0]}
    %1: f32[n, m] = cast(%0) {dtype: f32}
    %2: i8[n, m] = permute(%z) {axes: [1, 0]}
    %3: f32[n, m] = cast(%2) {dtype: f32}
    %4: f32[n, m] = add(%1, %3)
    %5: bool[n, m] = lt(%4, %y)
    return %5
  })",
                   {{"m", 144}, {"n", 80}});
}

TEST_CASE("a part of a transposed tensor, and a tensor and its own transpose") {
  check_transposes(R"(graph g(%x: bf16[n, 72]) {
    %0: bf16[72, n] = permute(%x) {axes: [1, 0]}
    %1: bf16[64, n] = slice(%0) {begin: [3, 0], step: [1, 1], shape: [64, n]}
    return %1
  })",
                   {{"n", 200}});
  check_transposes(R"(graph g(%x: f32[n, n]) {
    %0: f32[n, n] = permute(%x) {axes: [1, 0]}
    %1: f32[n, n] = add(%0, %x)
    return %1
  })",
                   {{"n", 132}});
}

}  // namespace sinter::tests
