// Views become index maps.
#include <doctest/doctest.h>

#include "tests/plan/kernel_text_check.h"

namespace sinter::tests {

TEST_CASE("elementwise operators share the output's axes") {
  check_kernel(R"((%x: f32[n, 4], %y: f32[n, 4]) {
  %0: f32[n, 4] = add(%x, %y)
  %1: f32[n, 4] = exp(%0)
  return %1
})",
               R"( {
  axis i: n
  axis j: 4
  in x: f32[n, 4]
  in y: f32[n, 4]
  out out0: f32[n, 4]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i, j) = load() {param: y, map: [i, j]}
  %2: f32 (i, j) = add(%0, %1)
  %3: f32 (i, j) = exp(%2)
  store(%3) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a permute and a reshape of it become floor and mod") {
  check_kernel(R"((%x: f32[m, n]) {
  %0: f32[n, m] = permute(%x) {axes: [1, 0]}
  %1: f32[m*n] = reshape(%0) {shape: [m*n]}
  return %1
})",
               R"( {
  axis i: m*n
  in x: f32[m, n]
  out out0: f32[m*n]
  %0: f32 (i) = load() {param: x, map: [mod(i, m), floor(i / m)]}
  store(%0) {param: out0, map: [i]}
})");
}

TEST_CASE("a reshape leaves the dimensions alone that it does not touch") {
  check_kernel(R"((%x: f32[b, 6, n]) {
  %0: f32[b, 2, 3, n] = reshape(%x) {shape: [b, 2, 3, n]}
  %1: f32[b, 3, 2, n] = permute(%0) {axes: [0, 2, 1, 3]}
  %2: f32[b, 6, n] = reshape(%1) {shape: [b, 6, n]}
  return %2
})",
               R"( {
  axis i: b
  axis j: 6
  axis k: n
  in x: f32[b, 6, n]
  out out0: f32[b, 6, n]
  %0: f32 (i, j, k) = load() {param: x, map: [i, floor(j / 2) + 3*mod(j, 2), k]}
  store(%0) {param: out0, map: [i, j, k]}
})");
}

TEST_CASE("a reversed slice and a broadcast become an affine map") {
  check_kernel(R"((%x: f32[n]) {
  %0: f32[n - 2] = slice(%x) {shape: [n - 2], begin: [n - 1], step: [-1]}
  %1: f32[1, n - 2] = reshape(%0) {shape: [1, n - 2]}
  %2: f32[3, n - 2] = broadcast(%1) {shape: [3, n - 2]}
  return %2
})",
               R"( {
  axis i: 3
  axis j: n - 2
  in x: f32[n]
  out out0: f32[3, n - 2]
  %0: f32 (j) = load() {param: x, map: [n - j - 1]}
  store(%0) {param: out0, map: [i, j]}
})");
}

TEST_CASE("a reshape that fits no group divides the whole index; empty tensors have no index") {
  check_kernel(R"((%x: f32[n, 1, 4], %z: f32[0, 4]) {
  %0: f32[4*n] = reshape(%x) {shape: [4*n]}
  %1: f32[2, 2*n] = reshape(%0) {shape: [2, 2*n]}
  %2: f32[4, 0] = reshape(%z) {shape: [4, 0]}
  return %1, %2
})",
               R"( {
  axis i: 2
  axis j: 2*n
  axis k: 4
  axis l: 0
  in x: f32[n, 1, 4]
  in z: f32[0, 4]
  out out0: f32[2, 2*n]
  out out1: f32[4, 0]
  %0: f32 (i, j) = load() {param: x, map: [floor((2*n*i + j) / 4), 0, mod(2*n*i + j, 4)]}
  store(%0) {param: out0, map: [i, j]}
  %2: f32 = load() {param: z, map: [0, 0]}
  store(%2) {param: out1, map: [k, l]}
})");
}

TEST_CASE("axes are not named like sizes") {
  check_kernel(R"((%x: f32[i, j]) {
  %0: f32 = sum(%x) {axes: [0, 1]}
  %1: f32[i, j] = broadcast(%0) {shape: [i, j]}
  %2: f32[i, j] = div(%x, %1)
  return %2
})",
               R"( {
  axis k: i
  axis l: j
  in x: f32[i, j]
  out out0: f32[i, j]
  %0: f32 (k, l) = load() {param: x, map: [k, l]}
  %1: f32 = reduce(%0) {axes: [k, l], reducer: add}
  %2: f32 (k, l) = div(%0, %1)
  store(%2) {param: out0, map: [k, l]}
})");
}

}  // namespace sinter::tests
