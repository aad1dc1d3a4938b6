// Constants are evaluated before anything runs.
#include "codegen/normalize/fold_constants.h"

#include <doctest/doctest.h>

#include "tests/support/graph_text_check.h"

namespace sinter::tests {

TEST_CASE("operators on constants are evaluated, through broadcasts too") {
  check_pass(codegen::fold_constants, R"((%x: f32[n]) {
  %0: f32 = constant() {value: 2.0: f32}
  %1: f32 = sqrt(%0)
  %2: f32[n] = broadcast(%1) {shape: [n]}
  %3: f32[n] = broadcast(%0) {shape: [n]}
  %4: f32[n] = mul(%2, %3)
  %5: f32[n] = add(%x, %4)
  return %5
})",
             R"((%x: f32[n]) {
  %0: f32 = constant() {value: 2.828427: f32}
  %1: f32[n] = broadcast(%0) {shape: [n]}
  %2: f32[n] = add(%x, %1)
  return %2
})");
}

TEST_CASE("integer division follows the language, not the machine") {
  check_pass(codegen::fold_constants, R"((%x: i32) {
  %0: i32 = constant() {value: -7: i32}
  %1: i32 = constant() {value: 3: i32}
  %2: i32 = floor_div(%0, %1)
  %3: i32 = mod(%0, %1)
  return %2, %3
})",
             R"((%x: i32) {
  %0: i32 = constant() {value: -3: i32}
  %1: i32 = constant() {value: 2: i32}
  return %0, %1
})");
}

TEST_CASE("sizes that are numbers and views of constants are constants") {
  check_pass(codegen::fold_constants, R"((%x: f32[n]) {
  %0: i64 = size() {shape: [12]}
  %1: f32 = cast(%0) {dtype: f32}
  %2: f32[4, n] = broadcast(%1) {shape: [4, n]}
  %3: f32[n, 4] = permute(%2) {axes: [1, 0]}
  %4: i64 = size() {shape: [n]}
  return %3, %4
})",
             R"((%x: f32[n]) {
  %0: f32 = constant() {value: 12.0: f32}
  %1: f32[n, 4] = broadcast(%0) {shape: [n, 4]}
  %2: i64 = size() {shape: [n]}
  return %1, %2
})");
}

TEST_CASE("functions are folded inside") {
  check_pass(codegen::fold_constants, R"((%x: f32[n]) {
  %0: f32 = reduce(%x) {axes: [0], reducer: fn(%a: f32, %b: f32) { %0: f32 = constant() {value: 2.0: f32} %1: f32 = neg(%0) %2: f32 = mul(%b, %1) %3: f32 = add(%a, %2) return %3 } from [0.0: f32]}
  return %0
})",
             R"((%x: f32[n]) {
  %0: f32 = reduce(%x) {axes: [0], reducer: fn(%a: f32, %b: f32) { %0: f32 = constant() {value: -2.0: f32} %1: f32 = mul(%b, %0) %2: f32 = add(%a, %1) return %2 } from [0.0: f32]}
  return %0
})");
}

}  // namespace sinter::tests
