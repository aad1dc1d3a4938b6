#include "tests/support/layout_graphs.h"

namespace sinter::tests {

std::vector<std::string> layout_graphs() {
  return {
      R"(graph pointwise(%alpha: f32 {host: true}, %x: f32[m, n], %y: f32[m, n], %w: f32[n]) {
  %0: f32[m, n] = tanh(%x)
  %1: f32[m, n] = mul(%0, %y)
  %2: f32[m, n] = broadcast(%w) {shape: [m, n]}
  %3: f32[m, n] = add(%1, %2)
  %4: f32[m, n] = broadcast(%alpha) {shape: [m, n]}
  %5: f32[m, n] = mul(%3, %4)
  return %5
})",
      R"(graph narrow(%x: bf16[m, 3, n], %y: bf16[m, 3, n]) {
  %0: bf16[m, 3, n] = add(%x, %y)
  return %0
})",
      R"(graph row_sum(%x: f32[m, n]) {
  %0: f32[m] = sum(%x) {axes: [1]}
  return %0
})",
      R"(graph inner_max(%x: bf16[3, m, n]) {
  %0: bf16[3, n] = max(%x) {axes: [1]}
  return %0
})",
      R"(graph softmax(%x: bf16[m, n]) {
  %0: bf16[m, n] = softmax(%x) {axis: 1}
  return %0
})",
      R"(graph norm(%x: bf16[m, n], %r: bf16[m, n], %w: bf16[n]) {
  %0: bf16[m, n] = add(%x, %r)
  %1: bf16[m, n] = rms_norm(%0, %w) {axes: [1]}
  return %0, %1
})",
      R"(graph mean_and_rest(%x: f32[m, 2, n]) {
  %0: f32[m, 2, n] = layer_norm(%x) {axes: [2]}
  %1: f32[m, 2] = sum(%x) {axes: [2]}
  return %1, %0
})",
      R"(graph product(%x: f32[m, n], %y: f32[n, 8]) {
  %0: f32[m, 8] = matmul(%x, %y)
  return %0
})",
      R"(graph running(%x: f32[m, n]) {
  %0: f32[m, n] = cumsum(%x) {axis: 1}
  return %0
})",
      R"(graph slice_of(%x: f32[m, n, 4]) {
  %0: f32[n, 4, m] = permute(%x) {axes: [1, 2, 0]}
  %1: f32[16, 4, m] = slice(%0) {begin: [3, 0, 0], step: [2, 1, 1], shape: [16, 4, m]}
  return %1
})",
  };
}

}  // namespace sinter::tests
