// Operators whose inputs callers lay out in other ways than row after row.
#include "bench/suite.h"

namespace sinter::bench {

std::vector<Case> layouts_suite() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const char* graph) {
    cases.push_back({.suite = "layouts", .name = name, .method = Method::Layouts, .graph = graph});
  };
  add("layouts_softmax_bf16", R"(graph softmax(%x: bf16[8192, 4096]) {
  %0: bf16[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})");
  add("layouts_residual_rms_norm_bf16",
      R"(graph residual_rms_norm(%x: bf16[8192, 2560], %r: bf16[8192, 2560], %w: bf16[2560]) {
  %0: bf16[8192, 2560] = add(%x, %r)
  %1: bf16[8192, 2560] = rms_norm(%0, %w) {axes: [1]}
  return %0, %1
})");
  add("layouts_row_sum_f32", R"(graph row_sum(%x: f32[16384, 8192]) {
  %0: f32[16384] = sum(%x) {axes: [1]}
  return %0
})");
  add("layouts_tanh_mul_f32", R"(graph tanh_mul(%a: f32[8192, 8192], %b: f32[8192, 8192]) {
  %0: f32[8192, 8192] = tanh(%a)
  %1: f32[8192, 8192] = mul(%0, %b)
  return %1
})");
  return cases;
}

}  // namespace sinter::bench
