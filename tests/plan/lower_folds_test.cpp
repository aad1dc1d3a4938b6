// Reductions, products and scans choose their axes.
#include <doctest/doctest.h>

#include "tests/plan/kernel_text_check.h"

namespace sinter::tests {

TEST_CASE("a softmax uses one axis before and after its reductions") {
  check_kernel(R"((%x: f32[m, n]) {
  %0: f32[m] = max(%x) {axes: [1]}
  %1: f32[m, 1] = reshape(%0) {shape: [m, 1]}
  %2: f32[m, n] = broadcast(%1) {shape: [m, n]}
  %3: f32[m, n] = sub(%x, %2)
  %4: f32[m, n] = exp(%3)
  %5: f32[m] = sum(%4) {axes: [1]}
  %6: f32[m, 1] = reshape(%5) {shape: [m, 1]}
  %7: f32[m, n] = broadcast(%6) {shape: [m, n]}
  %8: f32[m, n] = div(%4, %7)
  return %8
})",
               R"( {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out out0: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
  %2: f32 (i, j) = sub(%0, %1)
  %3: f32 (i, j) = exp(%2)
  %4: f32 (i) = reduce(%3) {axes: [j], reducer: add}
  %5: f32 (i, j) = div(%3, %4)
  store(%5) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a reduction over the first of two equal dimensions keeps the load") {
  check_kernel(R"((%x: f32[n, n]) {
  %0: f32[n] = sum(%x) {axes: [0]}
  %1: f32[n, n] = broadcast(%0) {shape: [n, n]}
  %2: f32[n, n] = div(%x, %1)
  return %2
})",
               R"( {
  axis i: n
  axis j: n
  in x: f32[n, n]
  out out0: f32[n, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (j) = reduce(%0) {axes: [i], reducer: add}
  %2: f32 (i, j) = div(%0, %1)
  store(%2) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a broadcast value is folded as often as its axis is long") {
  check_kernel(R"((%x: f32[m]) {
  %0: f32[m, 1] = reshape(%x) {shape: [m, 1]}
  %1: f32[m, n] = broadcast(%0) {shape: [m, n]}
  %2: f32[m] = sum(%1) {axes: [1]}
  return %2
})",
               R"( {
  axis i: m
  axis j: n
  in x: f32[m]
  out out0: f32[m]
  %0: f32 (i) = load() {param: x, map: [i]}
  %1: i64 (j) = index() {map: [j]}
  %2: i64 = constant() {value: 0: i64}
  %3: bool (j) = ge(%1, %2)
  %4: f32 (i, j) = select(%3, %0, %0)
  %5: f32 (i) = reduce(%4) {axes: [j], reducer: add}
  store(%5) {param: out0, map: [i]}
})");
}

TEST_CASE("several results of one fold") {
  check_kernel(R"((%x: f32[n, m]) {
  %0: i64[n, m] = iota() {dtype: i64, shape: [n, m], axis: 1}
  %1.0: f32[n], %1.1: i64[n] = reduce(%x, %0) {axes: [1], reducer: fn(%a: f32, %i: i64, %b: f32, %j: i64) { %0: bool = gt(%b, %a) %1: f32 = select(%0, %b, %a) %2: i64 = select(%0, %j, %i) return %1, %2 } from [-inf: f32, 0: i64]}
  return %1.1, %1.0
})",
               R"( {
  axis i: n
  axis j: m
  in x: f32[n, m]
  out out0: i64[n]
  out out1: f32[n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: i64 (j) = index() {map: [j]}
  %2.0: f32, %2.1: i64 (i) = reduce(%0, %1) {axes: [j], reducer: fn(%a: f32, %i: i64, %b: f32, %j: i64) { %0: bool = gt(%b, %a) %1: f32 = select(%0, %b, %a) %2: i64 = select(%0, %j, %i) return %1, %2 } from [-inf: f32, 0: i64]}
  store(%2.1) {param: out0, map: [i]}
  store(%2.0) {param: out1, map: [i]}
})");
}

TEST_CASE("products that share an operand share its contracted axis") {
  check_kernel(R"((%x: f32[b, m, 64], %w: f32[64, 1], %v: f32[64, 1]) {
  %0: f32[b, m, 1] = matmul(%x, %w) {precision: split}
  %1: f32[b, m, 1] = matmul(%x, %v) {precision: ieee}
  %2: f32[b, m, 1] = mul(%0, %1)
  return %2
})",
               R"( {
  axis i: b
  axis j: m
  axis k: 64
  in x: f32[b, m, 64]
  in w: f32[64, 1]
  in v: f32[64, 1]
  out out0: f32[b, m, 1]
  %0: f32 (i, j, k) = load() {param: x, map: [i, j, k]}
  %1: f32 (k) = load() {param: w, map: [k, 0]}
  %2: f32 (i, j) = contract(%0, %1) {dtype: f32, axes: [k], precision: split}
  %3: f32 (k) = load() {param: v, map: [k, 0]}
  %4: f32 (i, j) = contract(%0, %3) {dtype: f32, axes: [k], precision: ieee}
  %5: f32 (i, j) = mul(%2, %4)
  store(%5) {param: out0, map: [i, j, 0]}
})");
}

TEST_CASE("attention broadcasts a batch and reduces over the keys of its second product") {
  check_kernel(R"((%q: f32[h, n, 64], %k: f32[1, n, 64], %v: f32[h, n, 64]) {
  %0: f32[1, 64, n] = permute(%k) {axes: [0, 2, 1]}
  %1: f32[h, n, n] = matmul(%q, %0)
  %2: f32[h, n] = max(%1) {axes: [2]}
  %3: f32[h, n, 1] = reshape(%2) {shape: [h, n, 1]}
  %4: f32[h, n, n] = broadcast(%3) {shape: [h, n, n]}
  %5: f32[h, n, n] = sub(%1, %4)
  %6: f32[h, n, n] = exp(%5)
  %7: f32[h, n] = sum(%6) {axes: [2]}
  %8: f32[h, n, 1] = reshape(%7) {shape: [h, n, 1]}
  %9: f32[h, n, 64] = matmul(%6, %v)
  %10: f32[h, n, 64] = broadcast(%8) {shape: [h, n, 64]}
  %11: f32[h, n, 64] = div(%9, %10)
  return %11
})",
               R"( {
  axis i: h
  axis j: n
  axis l: 64
  axis m: n
  axis o: 64
  in q: f32[h, n, 64]
  in k: f32[1, n, 64]
  in v: f32[h, n, 64]
  out out0: f32[h, n, 64]
  %0: f32 (i, j, o) = load() {param: q, map: [i, j, o]}
  %1: f32 (m, o) = load() {param: k, map: [0, m, o]}
  %2: f32 (i, j, m) = contract(%0, %1) {dtype: f32, axes: [o], precision: split}
  %3: f32 (i, j) = reduce(%2) {axes: [m], reducer: maximum}
  %4: f32 (i, j, m) = sub(%2, %3)
  %5: f32 (i, j, m) = exp(%4)
  %6: f32 (i, l, m) = load() {param: v, map: [i, m, l]}
  %7: f32 (i, j, l) = contract(%5, %6) {dtype: f32, axes: [m], precision: split}
  %8: f32 (i, j) = reduce(%5) {axes: [m], reducer: add}
  %9: f32 (i, j, l) = div(%7, %8)
  store(%9) {param: out0, map: [i, j, l]}
})");
}

TEST_CASE("a scan runs over the axis that it is read at") {
  check_kernel(R"((%x: f32[m, n]) {
  %0: f32[m, n] = scan(%x) {axis: 1, reducer: add}
  %1: f32[m, n] = mul(%0, %x)
  return %1
})",
               R"( {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out out0: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i, j) = scan(%0) {axis: j, reducer: add}
  %2: f32 (i, j) = mul(%1, %0)
  store(%2) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a permuted scan runs over another axis") {
  check_kernel(R"((%x: f32[m, n]) {
  %0: f32[m, n] = scan(%x) {axis: 1, reducer: add}
  %1: f32[n, m] = permute(%0) {axes: [1, 0]}
  return %1
})",
               R"( {
  axis i: n
  axis j: m
  in x: f32[m, n]
  out out0: f32[n, m]
  %0: f32 (i, j) = load() {param: x, map: [j, i]}
  %1: f32 (i, j) = scan(%0) {axis: i, reducer: add}
  store(%1) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a reduction over no dimension and a scan over a dimension of one fold one element") {
  check_kernel(R"((%x: f32[n, 1]) {
  %0: f32[n, 1] = scan(%x) {axis: 1, reducer: add}
  %1: f32[n, 1] = sum(%0) {axes: []}
  return %1
})",
               R"( {
  axis i: n
  axis j: 1
  in x: f32[n, 1]
  out out0: f32[n, 1]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: add}
  %2: i64 (j) = index() {map: [j]}
  %3: i64 = constant() {value: 0: i64}
  %4: bool (j) = ge(%2, %3)
  %5: f32 (i, j) = select(%4, %1, %1)
  %6: f32 (i) = reduce(%5) {axes: [j], reducer: add}
  store(%6) {param: out0, map: [i, 0]}
})");
}

TEST_CASE("a fold varies over all that it is needed at") {
  check_kernel(R"((%x: f32[n]) {
  %0: f32[m, n] = broadcast(%x) {shape: [m, n]}
  %1: f32[m] = max(%0) {axes: [1]}
  return %1
})",
               R"( {
  axis i: m
  axis j: n
  in x: f32[n]
  out out0: f32[m]
  %0: f32 (j) = load() {param: x, map: [j]}
  %1: i64 (i) = index() {map: [i]}
  %2: i64 = constant() {value: 0: i64}
  %3: bool (i) = ge(%1, %2)
  %4: f32 (i, j) = select(%3, %0, %0)
  %5: f32 (i) = reduce(%4) {axes: [j], reducer: maximum}
  store(%5) {param: out0, map: [i]}
})");
}

}  // namespace sinter::tests
