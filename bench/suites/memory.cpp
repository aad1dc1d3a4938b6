// Kernels whose limit is memory, against a plain copy of as many bytes.
#include "bench/suite.h"

namespace sinter::bench {

std::vector<Case> memory_suite() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const char* graph) {
    cases.push_back({.suite = "memory", .name = name, .graph = graph, .has_copy_peer = true});
  };
  add("residual_rms_norm_bf16",
      R"(graph residual_rms_norm(%x: bf16[8192, 2560], %r: bf16[8192, 2560], %w: bf16[2560]) {
  %0: bf16[8192, 2560] = add(%x, %r)
  %1: bf16[8192, 2560] = rms_norm(%0, %w) {axes: [1]}
  return %0, %1
})");
  add("residual_rms_norm_8192_bf16",
      R"(graph residual_rms_norm(%x: bf16[8192, 8192], %r: bf16[8192, 8192], %w: bf16[8192]) {
  %0: bf16[8192, 8192] = add(%x, %r)
  %1: bf16[8192, 8192] = rms_norm(%0, %w) {axes: [1]}
  return %0, %1
})");
  add("softmax_long_bf16", R"(graph softmax(%x: bf16[1024, 131072]) {
  %0: bf16[1024, 131072] = softmax(%x) {axis: 1}
  return %0
})");
  add("softmax_odd_bf16", R"(graph softmax(%x: bf16[2048, 50257]) {
  %0: bf16[2048, 50257] = softmax(%x) {axis: 1}
  return %0
})");
  add("softmax_bf16", R"(graph softmax(%x: bf16[8192, 4096]) {
  %0: bf16[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})");
  add("softmax_f32", R"(graph softmax(%x: f32[8192, 4096]) {
  %0: f32[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})");
  add("layer_norm_bf16",
      R"(graph layer_norm(%x: bf16[8192, 4096], %w: bf16[4096], %b: bf16[4096]) {
  %0: bf16[8192, 4096] = layer_norm(%x, %w, %b) {axes: [1]}
  return %0
})");
  add("added_tanh_f32",
      R"(graph added_tanh(%x: f32[67108864], %y: f32[67108864], %z: f32[67108864]) {
  %0: f32[67108864] = tanh(%z)
  %1: f32[67108864] = mul(%y, %0)
  %2: f32[67108864] = add(%x, %1)
  return %2
})");
  add("gated_f32", R"(graph gated(%a: f32[67108864], %b: f32[67108864]) {
  %0: f32[67108864] = tanh(%a)
  %1: f32[67108864] = mul(%0, %b)
  %2: f32[67108864] = sigmoid(%b)
  %3: f32 = constant() {value: 0.5: f32}
  %4: f32[67108864] = broadcast(%3) {shape: [67108864]}
  %5: f32[67108864] = mul(%2, %4)
  %6: f32[67108864] = add(%1, %5)
  return %6
})");
  add("transpose_scale_f32", R"(graph transpose_scale(%x: f32[16384, 8192]) {
  %0: f32[8192, 16384] = permute(%x) {axes: [1, 0]}
  %1: f32 = constant() {value: 2: f32}
  %2: f32[8192, 16384] = broadcast(%1) {shape: [8192, 16384]}
  %3: f32[8192, 16384] = mul(%0, %2)
  return %3
})");
  add("transpose_scale_bf16", R"(graph transpose_scale(%x: bf16[16384, 8192]) {
  %0: bf16[8192, 16384] = permute(%x) {axes: [1, 0]}
  %1: bf16 = constant() {value: 2: bf16}
  %2: bf16[8192, 16384] = broadcast(%1) {shape: [8192, 16384]}
  %3: bf16[8192, 16384] = mul(%0, %2)
  return %3
})");
  add("transpose_add_f32", R"(graph transpose_add(%x: f32[8192, 8192], %y: f32[8192, 8192]) {
  %0: f32[8192, 8192] = permute(%y) {axes: [1, 0]}
  %1: f32[8192, 8192] = add(%x, %0)
  return %1
})");
  add("row_sum_f32", R"(graph row_sum(%x: f32[16384, 8192]) {
  %0: f32[16384] = sum(%x) {axes: [1]}
  return %0
})");
  add("column_sum_f32", R"(graph column_sum(%x: f32[16384, 8192]) {
  %0: f32[8192] = sum(%x) {axes: [0]}
  return %0
})");
  add("full_sum_f32", R"(graph full_sum(%x: f32[16384, 8192]) {
  %0: f32 = sum(%x) {axes: [0, 1]}
  return %0
})");
  add("cumsum_f32", R"(graph cumsum(%x: f32[8192, 8192]) {
  %0: f32[8192, 8192] = cumsum(%x) {axis: 1}
  return %0
})");
  add("cumsum_bf16", R"(graph cumsum(%x: bf16[8192, 8192]) {
  %0: bf16[8192, 8192] = cumsum(%x) {axis: 1}
  return %0
})");
  add("cumsum_columns_f32", R"(graph cumsum(%x: f32[8192, 8192]) {
  %0: f32[8192, 8192] = cumsum(%x) {axis: 0}
  return %0
})");
  add("cumsum_one_row_f32", R"(graph cumsum(%x: f32[67108864]) {
  %0: f32[67108864] = cumsum(%x) {axis: 0}
  return %0
})");
  return cases;
}

}  // namespace sinter::bench
