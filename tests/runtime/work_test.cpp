// Work of graphs: flops by the arithmetic that carries them, bytes that have to move.
#include "runtime/profile/work.h"

#include <doctest/doctest.h>

#include "ir/text.h"

namespace sinter::runtime {

TEST_CASE("a product with an epilogue: products by their operands' type, the rest in f32") {
  const Work work =
      count_work(ir::parse_graph(R"(graph g(%x: bf16[m, 32], %w: bf16[32, 8], %b: bf16[8]) {
  %0: bf16[m, 8] = matmul(%x, %w)
  %1: bf16[m, 8] = broadcast(%b) {shape: [m, 8]}
  %2: bf16[m, 8] = add(%0, %1)
  return %2
})"),
                 {{"m", 4}});

  CHECK(work.flops_by_kind.at(Arithmetic::ProductBf16) == 2.0 * 4 * 32 * 8);
  CHECK(work.flops_by_kind.at(Arithmetic::F32) == 4.0 * 8);
  CHECK(work.flops == 2.0 * 4 * 32 * 8 + 4 * 8);
  CHECK(work.bytes_read == 2.0 * (4 * 32 + 32 * 8 + 8));
  CHECK(work.bytes_written == 2.0 * 4 * 8);
  CHECK_FALSE(work.is_upper_bound);
}

TEST_CASE("which products an f32 matmul is, by its precision") {
  const auto kind = [](const std::string& attributes) {
    const Work work =
        count_work(ir::parse_graph(
                       "graph g(%x: f32[4, 4], %y: f32[4, 4]) {\n  %0: f32[4, 4] = matmul(%x, %y)" +
                       attributes + "\n  return %0\n}"),
                   {});
    return work.flops_by_kind.begin()->first;
  };

  CHECK(kind("") == Arithmetic::ProductF32);
  CHECK(kind(" {precision: ieee}") == Arithmetic::F32);
  CHECK(kind(" {precision: tf32}") == Arithmetic::ProductTf32);
}

TEST_CASE("of an input only what views need of it is read; a host scalar is no traffic") {
  const Work work =
      count_work(ir::parse_graph(R"(graph g(%x: f32[1000], %unused: f32[50], %a: f32 {host: true}) {
  %0: f32[10] = slice(%x) {begin: [5], shape: [10], step: [1]}
  %1: f32[10] = broadcast(%a) {shape: [10]}
  %2: f32[10] = mul(%0, %1)
  return %2
})"),
                 {});

  CHECK(work.bytes_read == 40);
  CHECK(work.ideal_bytes == 80);
}

TEST_CASE("a sum reads all that is summed, and f64 counts as f64") {
  const Work work = count_work(
      ir::parse_graph(
          "graph g(%x: f64[8, 16]) {\n  %0: f64[8] = sum(%x) {axes: [1]}\n  return %0\n}"),
      {});

  CHECK(work.bytes_read == 8.0 * 8 * 16);
  CHECK(work.flops_by_kind.at(Arithmetic::F64) == 8 * 16);
}

TEST_CASE("what a causal attention does not see may be left out") {
  const auto work = [](const std::string& attributes) {
    return count_work(
        ir::parse_graph("graph g(%q: f32[1, 4, 8], %k: f32[1, 4, 8], %v: f32[1, 4, 8]) {\n"
                        "  %0.0: f32[1, 4, 8], %0.1: f32[1, 4] = attention(%q, %k, %v)" +
                        attributes + "\n  return %0.0\n}"),
        {});
  };

  CHECK(work(" {causal: true}").is_upper_bound);
  CHECK_FALSE(work("").is_upper_bound);
}

}  // namespace sinter::runtime
