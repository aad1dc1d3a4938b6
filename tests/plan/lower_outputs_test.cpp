// Leaves, several outputs, and what cannot be one kernel.
#include <doctest/doctest.h>

#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "tests/plan/kernel_text_check.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

TEST_CASE("bool sums, sizes and iotas") {
  check_kernel(R"((%x: bool[m, n]) {
  %0: i64[m] = sum(%x) {axes: [1]}
  %1: i64 = size() {shape: [m*n]}
  %2: i64[m] = broadcast(%1) {shape: [m]}
  %3: i32[m] = iota() {dtype: i32, shape: [m], axis: 0}
  %4: i64[m] = cast(%3) {dtype: i64}
  %5: i64[m] = add(%0, %2)
  %6: i64[m] = add(%5, %4)
  return %6
})",
               R"( {
  axis i: m
  axis j: n
  in x: bool[m, n]
  out out0: i64[m]
  %0: bool (i, j) = load() {param: x, map: [i, j]}
  %1: i64 (i, j) = cast(%0) {dtype: i64}
  %2: i64 (i) = reduce(%1) {axes: [j], reducer: add}
  %3: i64 = index() {map: [m*n]}
  %4: i64 (i) = add(%2, %3)
  %5: i64 (i) = index() {map: [i]}
  %6: i32 (i) = cast(%5) {dtype: i32}
  %7: i64 (i) = cast(%6) {dtype: i64}
  %8: i64 (i) = add(%4, %7)
  store(%8) {param: out0, map: [i]}
})");
}

TEST_CASE("outputs of one kernel share axes, repeat and may be parameters") {
  check_kernel(R"((%x: f32[m, n], %y: f32) {
  %0: f32[m, n] = broadcast(%y) {shape: [m, n]}
  %1: f32[m, n] = mul(%x, %0)
  %2: f32[m] = sum(%1) {axes: [1]}
  %3: f32 = sum(%1) {axes: [0, 1]}
  return %2, %1, %2, %3, %x
})",
               R"( {
  axis i: m
  axis j: n
  in x: f32[m, n]
  in y: f32
  out out0: f32[m]
  out out1: f32[m, n]
  out out2: f32[m]
  out out3: f32
  out out4: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 = load() {param: y, map: []}
  %2: f32 (i, j) = mul(%0, %1)
  %3: f32 (i) = reduce(%2) {axes: [j], reducer: add}
  store(%3) {param: out0, map: [i]}
  store(%2) {param: out1, map: [i, j]}
  store(%3) {param: out2, map: [i]}
  %7: f32 = reduce(%2) {axes: [i, j], reducer: add}
  store(%7) {param: out3, map: []}
  store(%0) {param: out4, map: [i, j]}
})");
}

TEST_CASE("a stored value is loaded, a root is computed even where others use it") {
  const ir::Graph graph = graph_of(R"((%x: f32[n]) {
  %0: f32[n] = exp(%x)
  %1: f32[n] = neg(%0)
  %2: f32[n] = abs(%1)
  return %2
})");

  const ir::Kernel kernel =
      codegen::lower_to_kernel(graph, {{{2, 0}, "mid"}, {{3, 0}, "last"}}, {{{1, 0}, "tmp0"}});

  CHECK(ir::to_string(kernel) == R"(kernel g {
  axis i: n
  in tmp0: f32[n]
  out mid: f32[n]
  out last: f32[n]
  %0: f32 (i) = load() {param: tmp0, map: [i]}
  %1: f32 (i) = neg(%0)
  store(%1) {param: mid, map: [i]}
  %3: f32 (i) = abs(%1)
  store(%3) {param: last, map: [i]}
}
)");
}

TEST_CASE("a reversed scan is refused in words") {
  const ir::Graph graph = graph_of(R"((%x: f32[n]) {
  %0: f32[n] = scan(%x) {axis: 0, reducer: add}
  %1: f32[n] = slice(%0) {shape: [n], begin: [n - 1], step: [-1]}
  return %1
})");

  const codegen::Lowered lowered =
      codegen::try_lower_to_kernel(graph, {{graph.outputs()[0], "out0"}}, {}, ir::Mode::Default);

  CHECK(!lowered.kernel);
  CHECK(lowered.refusal == "the scan is used at other places than those it runs over");
}

TEST_CASE("a host scalar stays one in the kernel") {
  check_kernel(R"((%x: f32[m], %alpha: f32 {host: true}) {
  %0: f32[m] = broadcast(%alpha) {shape: [m]}
  %1: f32[m] = mul(%x, %0)
  return %1
})",
               R"( {
  axis i: m
  in x: f32[m]
  host alpha: f32
  out out0: f32[m]
  %0: f32 (i) = load() {param: x, map: [i]}
  %1: f32 = load() {param: alpha, map: []}
  %2: f32 (i) = mul(%0, %1)
  store(%2) {param: out0, map: [i]}
})");
}

TEST_CASE("dimensions that each call checks are read at one axis") {
  check_kernel(R"((%x: f32[m, k], %y: f32[2*n, 4]) {
  %0: f32[k, 4] = broadcast(%y) {shape: [k, 4]}
  %1: f32[m, 4] = matmul(%x, %0) {precision: split}
  return %1
})",
               R"( {
  axis i: m
  axis j: 4
  axis l: k
  in x: f32[m, k]
  in y: f32[2*n, 4]
  out out0: f32[m, 4]
  %0: f32 (i, l) = load() {param: x, map: [i, l]}
  %1: f32 (j, l) = load() {param: y, map: [l, j]}
  %2: f32 (i, j) = contract(%0, %1) {dtype: f32, axes: [l], precision: split}
  store(%2) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a reshape to a size of another name") {
  check_kernel(R"((%x: f32[m, 16], %y: f32[n]) {
  %0: f32[n] = reshape(%x) {shape: [n]}
  %1: f32[n] = add(%0, %y)
  return %1
})",
               R"( {
  axis i: n
  in x: f32[m, 16]
  in y: f32[n]
  out out0: f32[n]
  %0: f32 (i) = load() {param: x, map: [floor(i / 16), mod(i, 16)]}
  %1: f32 (i) = load() {param: y, map: [i]}
  %2: f32 (i) = add(%0, %1)
  store(%2) {param: out0, map: [i]}
})");
}

}  // namespace sinter::tests
