// Transposed tensors, running folds along rows, sums down columns and folds by functions over lanes: the
// forms that have loops of their own on the CPU, bit for bit against the interpreter.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

constexpr std::int64_t kExtents[] = {1, 7, 64, 65};

/// y[i, j] = x[j, i] + z[i, j], or the same written to y[j, i].
std::string turned_text(const std::string& dtype, bool turns_store) {
  const std::string read = turns_store ? "i, j" : "j, i", written = turns_store ? "j, i" : "i, j";
  const auto shape = [](const std::string& map) { return map == "i, j" ? "[m, n]" : "[n, m]"; };
  return "kernel turned {\n  axis i: m\n  axis j: n\n  in x: " + dtype + shape(read) +
         "\n  in z: " + dtype + "[m, n]\n  out y: " + dtype + shape(written) + "\n  %0: " + dtype +
         " (i, j) = load() {param: x, map: [" + read + "]}\n  %1: " + dtype +
         " (i, j) = load() {param: z, map: [i, j]}\n  %2: " + dtype +
         " (i, j) = add(%0, %1)\n  store(%2) {param: y, map: [" + written + "]}\n}";
}

std::string running_text(const std::string& dtype, const std::string& mode,
                         const std::string& extras) {
  return "kernel running {\n  mode " + mode + "\n  axis i: m\n  axis j: n\n  in x: " + dtype +
         "[m, n]\n  in z: " + dtype + "[m]\n  out y: " + dtype + "[m, n]\n  %0: " + dtype +
         " (i, j) = load() {param: x, map: [i, j]}\n  %1: " + dtype +
         " (i) = load() {param: z, map: [i]}\n  %2: " + dtype +
         " (i, j) = add(%0, %1)\n  %3: " + dtype + " (i, j) = scan(%2) {axis: j, reducer: add" +
         extras + "}\n  %4: " + dtype +
         " (i, j) = mul(%3, %0)\n  store(%4) {param: y, map: [i, j]}\n}";
}

std::string column_text(const std::string& dtype, const std::string& reducer) {
  return "kernel column {\n  axis i: m\n  axis j: n\n  in x: " + dtype +
         "[m, n]\n  out y: " + dtype + "[n]\n  %0: " + dtype +
         " (i, j) = load() {param: x, map: [i, j]}\n  %1: " + dtype +
         " (j) = reduce(%0) {axes: [i], reducer: " + reducer + "}\n  %2: " + dtype +
         " (j) = add(%1, %1)\n  store(%2) {param: y, map: [j]}\n}";
}

/// The largest and its first place; NaN counts as the largest.
const char* const kLargest = R"(kernel largest {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out best: f32[m]
  out at: i64[m]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: i64 (j) = index() {map: [j]}
  %2.0: f32, %2.1: i64 (i) = reduce(%0, %1) {axes: [j], reducer: fn arg(%best: f32, %at: i64, %value: f32, %index: i64) { %0: i64 = constant() {value: 0: i64} %1: bool = lt(%at, %0) %2: bool = lt(%index, %0) %3: bool = gt(%value, %best) %4: bool = eq(%value, %best) %5: bool = ne(%value, %value) %6: bool = ne(%best, %best) %7: bool = eq(%best, %best) %8: bool = and(%5, %7) %9: bool = and(%3, %7) %10: bool = or(%9, %8) %11: bool = and(%5, %6) %12: bool = or(%4, %11) %13: bool = lt(%index, %at) %14: bool = and(%12, %13) %15: bool = or(%1, %10) %16: bool = or(%15, %14) %17: bool = not(%2) %18: bool = and(%17, %16) %19: f32 = select(%18, %value, %best) %20: i64 = select(%18, %index, %at) return %19, %20 } from [0.0: f32, -1: i64]}
  store(%2.0) {param: best, map: [i]}
  store(%2.1) {param: at, map: [i]}
})";

void check_with_specials(const std::string& text, const std::map<std::string, std::int64_t>& sizes,
                         const CpuRun& run = {}) {
  const ir::Kernel kernel = ir::parse_kernel(text);
  check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 5, true), run);
}

}  // namespace

TEST_CASE("transposed operands and results of every size") {
  for (const std::int64_t m : kExtents) {
    for (const std::int64_t n : kExtents) {
      check_with_specials(turned_text("f32", false), {{"m", m}, {"n", n}});
      check_with_specials(turned_text("f32", true), {{"m", m}, {"n", n}});
    }
  }
}

TEST_CASE("transposed operands of every width of elements") {
  for (const char* dtype : {"bf16", "f16", "f64", "i8", "u32", "i64", "f8e4m3"}) {
    for (const bool turns_store : {false, true}) {
      check_cpu_kernel(turned_text(dtype, turns_store), {{"m", 35}, {"n", 140}});
    }
  }
}

TEST_CASE("transposed operands that are padded, spread, reversed or transposed in memory") {
  for (const CpuLayout layout :
       {CpuLayout::Padded, CpuLayout::Transposed, CpuLayout::Spread, CpuLayout::Reversed}) {
    for (const char* param : {"x", "z", "y"}) {
      const CpuRun run = {"generic", -1, {{param, layout}}, true};
      check_cpu_kernel(turned_text("f32", false), {{"m", 70}, {"n", 45}}, run);
    }
  }
}

TEST_CASE(
    "a batch of matrices with their last dimensions exchanged, by no vectors at all and by "
    "vectors") {
  const char* text = R"(kernel batch {
    axis b: 3
    axis i: m
    axis j: n
    in x: f32[3, n, m]
    out y: f32[3, m, n]
    %0: f32 (b, i, j) = load() {param: x, map: [b, j, i]}
    store(%0) {param: y, map: [b, i, j]}
  })";
  for (const bool has_features : {false, true}) {
    CpuRun run;
    run.has_features = has_features;
    check_cpu_kernel(text, {{"m", 49}, {"n", 82}}, run);
  }
}

TEST_CASE("running sums along rows keep their order, in both directions and modes") {
  for (const char* mode : {"default", "strict"}) {
    for (const char* extras :
         {"", ", exclusive: true", ", reverse: true", ", exclusive: true, reverse: true"}) {
      for (const std::int64_t n : kExtents) {
        check_cpu_kernel(running_text("f32", mode, extras), {{"m", 11}, {"n", n}});
      }
    }
    check_cpu_kernel(running_text("bf16", mode, ""), {{"m", 9}, {"n", 77}});
    check_cpu_kernel(running_text("i64", mode, ", reverse: true"), {{"m", 17}, {"n", 100}});
  }
  check_with_specials(running_text("f32", "default", ""), {{"m", 33}, {"n", 65}});
}

TEST_CASE("sums down wide columns go through the rows in order") {
  for (const std::int64_t m : {0, 1, 8, 17}) {
    for (const std::int64_t n : {1, 63, 1100}) {
      check_with_specials(column_text("f32", "add"), {{"m", m}, {"n", n}});
    }
  }
  check_with_specials(column_text("f32", "maximum"), {{"m", 33}, {"n", 300}});
  check_cpu_kernel(column_text("bf16", "add"), {{"m", 20}, {"n", 300}});
  check_cpu_kernel(column_text("i64", "minimum"), {{"m", 20}, {"n", 300}});
}

TEST_CASE("the first of the largest in rows of every length, with NaN and infinities") {
  for (const std::int64_t n : {0, 1, 4, 15, 17, 100}) {
    check_with_specials(kLargest, {{"m", 11}, {"n", n}}, {"rows"});
  }
}

TEST_CASE("softmax of narrow floats in rows of a known length, kept exponentials included") {
  for (const char* mode : {"default", "strict"}) {
    for (const std::string n : {"1", "7", "45", "100"}) {
      const std::string text =
          "kernel softmax {\n  mode " + std::string(mode) + "\n  axis i: m\n  axis j: " + n +
          "\n  in x: bf16[m, " + n + "]\n  out y: bf16[m, " + n +
          "]\n  %0: bf16 (i, j) = load() {param: x, map: [i, j]}\n"
          "  %1: f32 (i, j) = cast(%0) {dtype: f32}\n"
          "  %2: f32 (i) = reduce(%1) {axes: [j], reducer: maximum}\n"
          "  %3: f32 (i, j) = sub(%1, %2)\n  %4: f32 (i, j) = exp(%3)\n"
          "  %5: f32 (i) = reduce(%4) {axes: [j], reducer: add}\n"
          "  %6: f32 (i, j) = div(%4, %5)\n  %7: bf16 (i, j) = cast(%6) {dtype: bf16}\n"
          "  store(%7) {param: y, map: [i, j]}\n}";
      const bool is_strict = std::string(mode) == "strict";
      check_cpu_kernel(text, {{"m", 5}}, {"rows"}, is_strict ? 0 : 0.01);
    }
  }
}

TEST_CASE("minimum and maximum with constants keep NaN and the signs of zeros") {
  for (const char* dtype : {"f32", "f64"}) {
    const std::string type(dtype);
    const std::string text =
        "kernel limits {\n  axis i: n\n  in x: " + type + "[n]\n  out y: " + type +
        "[n]\n  %0: " + type + " (i) = load() {param: x, map: [i]}\n  %1: " + type +
        " = constant() {value: 1.5: " + type + "}\n  %2: " + type +
        " (i) = minimum(%0, %1)\n  %3: " + type + " = constant() {value: -1.5: " + type +
        "}\n  %4: " + type + " (i) = maximum(%3, %2)\n  store(%4) {param: y, map: [i]}\n}";
    check_with_specials(text, {{"n", 1000}});
  }
}

}  // namespace sinter::tests
