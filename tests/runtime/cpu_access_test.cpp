// Loads and stores on the CPU: layouts, predicates, gathers, odd index maps.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string pad_text(const std::string& dtype) {
  return "kernel pad {\n  axis i: m + 3\n  axis j: n + 5\n  in x: " + dtype +
         "[m, n]\n  out y: " + dtype + "[m + 3, n + 5]\n  %0: " + dtype +
         " (i, j) = load() {param: x, map: [i - 1, j - 2], where: [i - 1, m - i, j - 2, n + 1 - j]"
         ", outside: " +
         (dtype == "bool" ? "true" : "1.0") + ": " + dtype +
         "}\n  store(%0) {param: y, map: [i, j]}\n}";
}

const char* const kTranspose = R"(kernel transpose {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[n, m]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  store(%0) {param: y, map: [j, i]}
})";

}  // namespace

TEST_CASE("padding touches nothing outside") {
  for (const char* dtype : {"f32", "f64", "bf16", "f8e4m3", "bool"}) {
    check_cpu_kernel(pad_text(dtype), {{"m", 4}, {"n", 43}});
  }
  check_cpu_kernel(pad_text("f32"), {{"m", 0}, {"n", 0}});
}

TEST_CASE("every layout of operands and results") {
  CpuRun run;
  for (const CpuLayout layout : {CpuLayout::Dense, CpuLayout::Padded, CpuLayout::Transposed,
                                 CpuLayout::Spread, CpuLayout::Reversed}) {
    for (const char* param : {"x", "y"}) {
      run.layouts = {{param, layout}};
      check_cpu_kernel(kTranspose, {{"m", 21}, {"n", 70}}, run);
      check_cpu_kernel(pad_text("f32"), {{"m", 3}, {"n", 50}}, run);
    }
  }
}

TEST_CASE("gathered rows by index, outside of the table zero") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel rows {
    axis i: m
    axis j: n
    in at: i32[m]
    in table: f32[v, n]
    out y: f32[m, n]
    %0: i32 (i) = load() {param: at, map: [i]}
    %1: f32 (i, j) = load() {param: table, map: [%0, j], where: [%0, v - 1 - %0], outside: 0.0: f32}
    store(%1) {param: y, map: [i, j]}
  })");
  const std::map<std::string, std::int64_t> sizes = {{"m", 30}, {"n", 33}, {"v", 6}};

  check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 9));
}

TEST_CASE("gathered elements along the lanes, and scattered ones") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel columns {
    axis j: n
    in at: i64[n]
    in table: f32[v]
    out y: f32[n]
    %0: i64 (j) = load() {param: at, map: [j]}
    %1: f32 (j) = load() {param: table, map: [%0], where: [%0, v - 1 - %0], outside: -1.0: f32}
    store(%1) {param: y, map: [n - 1 - j]}
  })");
  const std::map<std::string, std::int64_t> sizes = {{"n", 100}, {"v", 5}};

  check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 4));
}

TEST_CASE("maps with floor, mod, min and max") {
  check_cpu_kernel(R"(kernel reshape {
    axis i: a*b
    in x: f32[b, a]
    in z: f32[a*b]
    out y: f32[a*b]
    %0: f32 (i) = load() {param: x, map: [floor(i / a), mod(i, a)]}
    %1: f32 (i) = load() {param: z, map: [min(i, 3)]}
    %2: f32 (i) = load() {param: z, map: [max(i - 2, 0)]}
    %3: i64 (i) = index() {map: [mod(2 - i, 5) + floor((1 - i) / 3)]}
    %4: f32 (i) = cast(%3) {dtype: f32}
    %5: f32 (i) = add(%0, %1)
    %6: f32 (i) = mul(%5, %2)
    %7: f32 (i) = sub(%6, %4)
    store(%7) {param: y, map: [i]}
  })",
                   {{"a", 7}, {"b", 19}});
}

TEST_CASE("stores with a predicate write only where it holds") {
  check_cpu_kernel(R"(kernel tail {
    axis i: n
    in x: f32[n]
    out y: f32[n]
    %0: f32 (i) = load() {param: x, map: [i]}
    store(%0) {param: y, map: [i], where: [i - 5, n - 3 - i]}
  })",
                   {{"n", 61}});
}

TEST_CASE("more elements than one block, on several threads") {
  check_cpu_kernel(R"(kernel long {
    axis i: n
    in x: i32[n]
    out y: i32[n]
    %0: i32 (i) = load() {param: x, map: [i]}
    %1: i32 (i) = neg(%0)
    store(%1) {param: y, map: [i]}
  })",
                   {{"n", 300001}});
}

}  // namespace sinter::tests
