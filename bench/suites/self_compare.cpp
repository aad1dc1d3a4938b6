// Does the timing core see differences that are not there? Ten kernels, each timed against itself.
#include <fmt/format.h>

#include "bench/suite.h"

namespace sinter::bench {

namespace {

Case unary_rows(const char* name, const char* op, const char* dtype, std::int64_t rows,
                std::int64_t columns) {
  return {.suite = "self_compare",
          .name = name,
          .method = Method::SelfCompare,
          .graph = fmt::format(
              "graph rows(%x: {0}[{1}, {2}]) {{\n  %0: {0}[{1}, {2}] = {3}\n  return %0\n}}\n",
              dtype, rows, columns, op)};
}

Case bare_product(const char* name, const char* dtype, std::int64_t m, std::int64_t n,
                  std::int64_t k) {
  return {.suite = "self_compare",
          .name = name,
          .method = Method::SelfCompare,
          .graph = fmt::format("graph product(%x: {0}[{1}, {3}], %w: {0}[{3}, {2}]) {{\n"
                               "  %0: {0}[{1}, {2}] = matmul(%x, %w)\n  return %0\n}}\n",
                               dtype, m, n, k)};
}

}  // namespace

std::vector<Case> self_compare_suite() {
  return {
      unary_rows("self_tanh_f32_4m", "tanh(%x)", "f32", 1024, 4096),
      unary_rows("self_tanh_bf16_64m", "tanh(%x)", "bf16", 16384, 4096),
      unary_rows("self_softmax_bf16_4096", "softmax(%x) {axis: 1}", "bf16", 8192, 4096),
      unary_rows("self_softmax_f32_1024", "softmax(%x) {axis: 1}", "f32", 8192, 1024),
      unary_rows("self_softmax_f16_16384", "softmax(%x) {axis: 1}", "f16", 1024, 16384),
      unary_rows("self_rms_norm_bf16_2560", "rms_norm(%x) {axes: [1]}", "bf16", 8192, 2560),
      bare_product("self_product_bf16_8192_2560", "bf16", 8192, 2560, 2560),
      bare_product("self_product_bf16_1024", "bf16", 1024, 1024, 1024),
      bare_product("self_product_f16_4096", "f16", 4096, 4096, 4096),
      bare_product("self_product_f16_2048_tall", "f16", 16384, 512, 2048),
  };
}

}  // namespace sinter::bench
