// Reductions, contractions and scans on the CPU.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string reduce_text(const std::string& mode, const std::string& dtype,
                        const std::string& reducer, const std::string& kept,
                        const std::string& folded) {
  return "kernel fold {\n  mode " + mode + "\n  axis i: m\n  axis j: n\n  in x: " + dtype +
         "[m, n]\n  out y: " + dtype + "[" + (kept == "i" ? "m" : "n") + "]\n  %0: " + dtype +
         " (i, j) = load() {param: x, map: [i, j]}\n  %1: " + dtype + " (" + kept +
         ") = reduce(%0) {axes: [" + folded + "], reducer: " + reducer +
         "}\n  store(%1) {param: y, map: [" + kept + "]}\n}";
}

const char* const kProduct = R"(kernel product {
  mode strict
  axis b: 2
  axis i: m
  axis j: n
  axis k: l
  in x: f32[2, m, l]
  in w: f32[l, n]
  in r: f32[m, n]
  out y: f32[2, m, n]
  %0: f32 (b, i, k) = load() {param: x, map: [b, i, k]}
  %1: f32 (j, k) = load() {param: w, map: [k, j]}
  %2: f32 (b, i, j) = contract(%0, %1) {axes: [k], dtype: f32, precision: ieee}
  %3: f32 (i, j) = load() {param: r, map: [i, j]}
  %4: f32 (b, i, j) = add(%2, %3)
  store(%4) {param: y, map: [b, i, j]}
})";

std::string scan_text(const std::string& axis, const std::string& extras) {
  return "kernel running {\n  axis i: m\n  axis j: n\n  in x: f32[m, n]\n  out y: f32[m, n]\n"
         "  %0: f32 (i, j) = load() {param: x, map: [i, j]}\n"
         "  %1: f32 (i, j) = scan(%0) {axis: " +
         axis + ", reducer: add" + extras +
         "}\n"
         "  %2: f32 (i, j) = mul(%1, %0)\n  store(%2) {param: y, map: [i, j]}\n}";
}

}  // namespace

TEST_CASE("strict reductions over rows and columns are exact in order") {
  for (const char* reducer : {"add", "mul", "maximum", "minimum"}) {
    check_cpu_kernel(reduce_text("strict", "f32", reducer, "i", "j"), {{"m", 7}, {"n", 131}});
    check_cpu_kernel(reduce_text("strict", "f32", reducer, "j", "i"), {{"m", 7}, {"n", 131}});
  }
}

TEST_CASE("reductions in any order give the same integers and extremes") {
  for (const char* reducer : {"add", "maximum", "minimum"}) {
    check_cpu_kernel(reduce_text("default", "i32", reducer, "i", "j"), {{"m", 9}, {"n", 203}});
    check_cpu_kernel(reduce_text("default", "i64", reducer, "j", "i"), {{"m", 9}, {"n", 203}});
  }
  check_cpu_kernel(reduce_text("default", "f32", "maximum", "i", "j"), {{"m", 9}, {"n", 203}});
}

TEST_CASE("reductions in any order stay close, and empty ones give the identity") {
  check_cpu_kernel(reduce_text("default", "f32", "add", "i", "j"), {{"m", 3}, {"n", 1000}}, {},
                   1e-6);
  check_cpu_kernel(reduce_text("default", "bf16", "add", "i", "j"), {{"m", 3}, {"n", 100}}, {},
                   1e-2);
  check_cpu_kernel(reduce_text("default", "f32", "maximum", "i", "j"), {{"m", 3}, {"n", 0}});
}

TEST_CASE("trap A01: maximum propagates NaN and prefers +0.0 in every path") {
  for (const char* mode : {"strict", "default"}) {
    const ir::Kernel kernel = ir::parse_kernel(reduce_text(mode, "f32", "maximum", "i", "j"));
    const std::map<std::string, std::int64_t> sizes = {{"m", 40}, {"n", 67}};

    check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 21, true));
  }
}

TEST_CASE("a full reduction is split and does not depend on how") {
  const std::string text = R"(kernel total {
    axis i: n
    in x: i32[n]
    out y: i64[]
    out z: i64[]
    %0: i32 (i) = load() {param: x, map: [i]}
    %1: i64 (i) = cast(%0) {dtype: i64}
    %2: i64 = reduce(%1) {axes: [i], reducer: add}
    store(%2) {param: y, map: []}
    %3: i64 = neg(%2)
    store(%3) {param: z, map: []}
  })";

  for (const std::int64_t n : {0, 1, 63, 64, 65, 1000, 100003}) {
    check_cpu_kernel(text, {{"n", n}});
  }
}

TEST_CASE("strict contractions are one chain of fma") {
  check_cpu_kernel(kProduct, {{"m", 5}, {"n", 75}, {"l", 33}});
  check_cpu_kernel(kProduct, {{"m", 1}, {"n", 3}, {"l", 0}});
}

TEST_CASE("contractions of any layout") {
  CpuRun run;
  for (const CpuLayout layout :
       {CpuLayout::Padded, CpuLayout::Transposed, CpuLayout::Spread, CpuLayout::Reversed}) {
    run.layouts = {{"x", layout}, {"w", layout}, {"y", layout}};
    check_cpu_kernel(kProduct, {{"m", 4}, {"n", 19}, {"l", 9}}, run);
  }
}

TEST_CASE("integer contractions accumulate in the wider type") {
  check_cpu_kernel(R"(kernel dot {
    axis i: m
    axis j: n
    axis k: l
    in x: i8[m, l]
    in w: i8[n, l]
    out y: i32[m, n]
    %0: i8 (i, k) = load() {param: x, map: [i, k]}
    %1: i8 (j, k) = load() {param: w, map: [j, k]}
    %2: i32 (i, j) = contract(%0, %1) {axes: [k], dtype: i32, precision: ieee}
    store(%2) {param: y, map: [i, j]}
  })",
                   {{"m", 3}, {"n", 5}, {"l", 100}});
}

TEST_CASE("scans along either axis, exclusive and reverse") {
  for (const char* axis : {"i", "j"}) {
    for (const char* extras :
         {"", ", exclusive: true", ", reverse: true", ", exclusive: true, reverse: true"}) {
      check_cpu_kernel(scan_text(axis, extras), {{"m", 19}, {"n", 41}});
    }
  }
  check_cpu_kernel(scan_text("j", ""), {{"m", 3}, {"n", 0}});
}

TEST_CASE("a reduction of several accumulators by a function") {
  check_cpu_kernel(R"(kernel argmax {
    axis i: m
    axis j: n
    in x: f32[m, n]
    out largest: f32[m]
    out position: i64[m]
    %0: f32 (i, j) = load() {param: x, map: [i, j]}
    %1: i64 (j) = index() {map: [j]}
    %2.0: f32, %2.1: i64 (i) = reduce(%0, %1) {axes: [j], reducer:
      fn(%best: f32, %at: i64, %x: f32, %i: i64) {
        %0: bool = gt(%x, %best)
        %1: bool = eq(%x, %best)
        %2: bool = lt(%i, %at)
        %3: bool = and(%1, %2)
        %4: bool = or(%0, %3)
        %5: f32 = select(%4, %x, %best)
        %6: i64 = select(%4, %i, %at)
        return %5, %6
      } from [-inf: f32, 9223372036854775807: i64]}
    store(%2.0) {param: largest, map: [i]}
    store(%2.1) {param: position, map: [i]}
  })",
                   {{"m", 37}, {"n", 29}});
}

}  // namespace sinter::tests
