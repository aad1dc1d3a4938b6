// What expressions trace to.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(traced_bias, (sn::Tensor x, const sn::Tensor& bias)) { return x * 2 + bias; }
SINTER_OP(traced_views, (sn::Tensor x)) {
  return {sn::transpose(x), sn::slice(x, -1, 3, 2, -1), sn::sum(x, {0}, true)};
}
SINTER_OP(traced_vector_product, (sn::Tensor a, sn::Tensor b)) { return sn::matmul(a, b); }

SINTER_OP(traced_sum, (sn::Tensor x, sn::Tensor y)) { return x + y; }
SINTER_OP(traced_product, (sn::Tensor a, sn::Tensor b)) { return sn::matmul(a, b); }
SINTER_OP(traced_scale, (sn::Tensor x, const sn::Scalar& alpha, sn::Scalar beta)) {
  const sn::Tensor scaled = x * alpha;
  return scaled + beta * alpha;
}
SINTER_OP(traced_wide_sums, (sn::Tensor x)) {
  return {sn::sum(x, {0}, {.dtype = sn::DType::F64}),
          sn::mean(x, {0}, {.keep = true, .dtype = sn::DType::F64}),
          sn::sum(x, {0}, {.keep = true})};
}

namespace {

std::string text_of(const sn::ir::Graph& graph) { return sn::ir::to_string(graph, {false}); }

}  // namespace

TEST_CASE("parameters are known by name, whatever their declared form") {
  CHECK(traced_bias.parameters == std::vector<std::string>{"x", "bias"});
  CHECK(&sn::find_operator("traced_bias") == &traced_bias);
}

TEST_CASE("literals take the tensor's dtype and broadcasting is written out") {
  CHECK(text_of(traced_bias.trace({sn::bf16("n", 4), sn::bf16(4)})) ==
        "graph traced_bias(%x: bf16[n, 4], %bias: bf16[4]) {\n"
        "  %0: bf16 = constant() {value: 2.0: bf16}\n"
        "  %1: bf16[n, 4] = broadcast(%0) {shape: [n, 4]}\n"
        "  %2: bf16[n, 4] = mul(%x, %1)\n"
        "  %3: bf16[n, 4] = broadcast(%bias) {shape: [n, 4]}\n"
        "  %4: bf16[n, 4] = add(%2, %3)\n"
        "  return %4\n"
        "}\n");
}

TEST_CASE("views and kept dimensions give several outputs") {
  const sn::ir::Graph graph = traced_views.trace({sn::f32(5, 4)});

  CHECK(sn::ir::to_string(graph.type(graph.outputs()[0])) == "f32[4, 5]");
  CHECK(sn::ir::to_string(graph.type(graph.outputs()[1])) == "f32[5, 2]");
  CHECK(sn::ir::to_string(graph.type(graph.outputs()[2])) == "f32[1, 4]");
}

TEST_CASE("rank-1 operands of matmul lose their dimension again") {
  const auto shape = [](const sn::TensorSpec& a, const sn::TensorSpec& b) {
    const sn::ir::Graph graph = traced_vector_product.trace({a, b});
    return sn::ir::to_string(graph.type(graph.outputs()[0]));
  };

  CHECK(shape(sn::f32(3), sn::f32(3)) == "f32");
  CHECK(shape(sn::f32(3), sn::f32(3, 5)) == "f32[5]");
  CHECK(shape(sn::f32(2, 4, 3), sn::f32(3)) == "f32[2, 4]");
}

TEST_CASE("locations are those of the user's expressions") {
  const sn::ir::Graph graph = traced_bias.trace({sn::f32(4), sn::f32(4)});

  const sn::SourceLocation& location = graph.node(graph.outputs()[0]).location;
  CHECK(location.file.ends_with("trace_test.cpp"));
  CHECK(location.line == traced_bias.location.line);
}

TEST_CASE("dimensions that may be equal are broadcast to each other, numbers before names") {
  CHECK(text_of(traced_sum.trace({sn::f32("n", 1), sn::f32("m", 4)})) ==
        "graph traced_sum(%x: f32[n, 1], %y: f32[m, 4]) {\n"
        "  %0: f32[n, 4] = broadcast(%x) {shape: [n, 4]}\n"
        "  %1: f32[n, 4] = broadcast(%y) {shape: [n, 4]}\n"
        "  %2: f32[n, 4] = add(%0, %1)\n"
        "  return %2\n"
        "}\n");
  CHECK(text_of(traced_sum.trace({sn::f32("n"), sn::f32(4)})) ==
        "graph traced_sum(%x: f32[n], %y: f32[4]) {\n"
        "  %0: f32[4] = broadcast(%x) {shape: [4]}\n"
        "  %1: f32[4] = add(%0, %y)\n"
        "  return %1\n"
        "}\n");
}

TEST_CASE("products contract dimensions that may be equal, batches too") {
  CHECK(text_of(traced_product.trace({sn::f32("b", 3, "k"), sn::f32("c", "2*n", 5)})) ==
        "graph traced_product(%a: f32[b, 3, k], %b: f32[c, 2*n, 5]) {\n"
        "  %0: f32[b, k, 5] = broadcast(%b) {shape: [b, k, 5]}\n"
        "  %1: f32[b, 3, 5] = matmul(%a, %0) {precision: split}\n"
        "  return %1\n"
        "}\n");
  CHECK(text_of(traced_product.trace({sn::f32(3, "k"), sn::f32("c", 8, 5)})) ==
        "graph traced_product(%a: f32[3, k], %b: f32[c, 8, 5]) {\n"
        "  %0: f32[3, 8] = broadcast(%a) {shape: [3, 8]}\n"
        "  %1: f32[c, 3, 5] = matmul(%0, %b) {precision: split}\n"
        "  return %1\n"
        "}\n");
}

TEST_CASE("host scalars are parameters of rank 0 that are marked") {
  CHECK(traced_scale.host_scalars == std::vector<std::string>{"alpha", "beta"});
  CHECK(text_of(traced_scale.trace(
            {sn::f32("n"), sn::scalar(sn::DType::F32), sn::scalar(sn::DType::F32)})) ==
        "graph traced_scale(%x: f32[n], %alpha: f32 {host: true}, %beta: f32 {host: true}) {\n"
        "  %0: f32[n] = broadcast(%alpha) {shape: [n]}\n"
        "  %1: f32[n] = mul(%x, %0)\n"
        "  %2: f32 = mul(%beta, %alpha)\n"
        "  %3: f32[n] = broadcast(%2) {shape: [n]}\n"
        "  %4: f32[n] = add(%1, %3)\n"
        "  return %4\n"
        "}\n");
}

TEST_CASE("sums and means take a dtype") {
  CHECK(text_of(traced_wide_sums.trace({sn::f32(4)})) ==
        "graph traced_wide_sums(%x: f32[4]) {\n"
        "  %0: f64 = sum(%x) {dtype: f64, axes: [0]}\n"
        "  %1: f64 = mean(%x) {dtype: f64, axes: [0]}\n"
        "  %2: f64[1] = reshape(%1) {shape: [1]}\n"
        "  %3: f32 = sum(%x) {axes: [0]}\n"
        "  %4: f32[1] = reshape(%3) {shape: [1]}\n"
        "  return %0, %2, %4\n"
        "}\n");
}
