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
