// Matrix products with what surrounds them, against cuBLASLt's fastest algorithm.
#include "bench/suite.h"

namespace sinter::bench {

std::vector<Case> products_suite() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const ProductPeer& product, const char* graph) {
    cases.push_back({.suite = "products", .name = name, .graph = graph, .product = product});
  };
  add("projection", {8192, 2560, 2560},
      R"(graph projection(%x: bf16[8192, 2560], %w: bf16[2560, 2560]) {
  %0: bf16[8192, 2560] = matmul(%x, %w)
  return %0
})");
  add("projection_residual", {.m = 8192, .n = 2560, .k = 2560, .adds_residual = true},
      R"(graph projection_residual(%x: bf16[8192, 2560], %w: bf16[2560, 2560], %r: bf16[8192, 2560]) {
  %0: bf16[8192, 2560] = matmul(%x, %w)
  %1: bf16[8192, 2560] = add(%0, %r)
  return %1
})");
  add("bias_gelu", {.m = 8192, .n = 10240, .k = 2560, .is_part = true},
      R"(graph bias_gelu(%x: bf16[8192, 2560], %w: bf16[2560, 10240], %b: bf16[10240]) {
  %0: bf16[8192, 10240] = matmul(%x, %w)
  %1: bf16[8192, 10240] = broadcast(%b) {shape: [8192, 10240]}
  %2: bf16[8192, 10240] = add(%0, %1)
  %3: bf16[8192, 10240] = gelu_tanh(%2)
  return %3
})");
  add("square_f16", {4096, 4096, 4096},
      R"(graph square_f16(%x: f16[4096, 4096], %w: f16[4096, 4096]) {
  %0: f16[4096, 4096] = matmul(%x, %w)
  return %0
})");
  return cases;
}

}  // namespace sinter::bench
