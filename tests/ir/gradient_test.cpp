// Gradient graphs as text: what is built, and what is not.
#include "ir/differentiate/gradient.h"

#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

std::string gradient_text(const std::string& text, const ir::GradientRequest& request = {}) {
  return ir::to_string(ir::make_gradient(graph_of(text), request, {}), {false});
}

std::string message_of(const std::string& text, const ir::GradientRequest& request = {}) {
  try {
    ir::make_gradient(graph_of(text), request, {});
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

ir::Graph normal(const std::string& text) {
  return codegen::normalize(ir::make_gradient(graph_of(text), {}, {}), {});
}

bool has(const ir::Graph& graph, ir::Op op) {
  for (const ir::Node& node : graph.nodes()) {
    if (node.op == op) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the gradient of a product has a cotangent and the parameters' types") {
  CHECK(gradient_text("(%x: f32[n, 4], %w: f32[4, m]) {\n"
                      "  %0: f32[n, m] = matmul(%x, %w)\n"
                      "  return %0\n}") ==
        R"(graph g_gradient(%x: f32[n, 4], %w: f32[4, m], %grad_0: f32[n, m]) {
  %0: f32[n, m] = matmul(%x, %w)
  %1: f32[n, 4] = einsum(%grad_0, %w) {precision: split, equation: "ab,cb->ac"}
  %2: f32[4, m] = einsum(%grad_0, %x) {precision: split, equation: "ab,ac->cb"}
  return %1, %2
}
)");
}

TEST_CASE("nothing is built for parameters that are not asked for") {
  CHECK(gradient_text("(%x: f32[n], %w: f32[n]) {\n"
                      "  %0: f32[n] = mul(%x, %w)\n"
                      "  %1: f32 = sum(%0) {axes: [0]}\n"
                      "  return %1\n}",
                      {.wrt = {"w"}}) ==
        R"(graph g_gradient(%x: f32[n], %w: f32[n]) {
  %0: f32[n] = mul(%x, %w)
  %1: f32 = sum(%0) {axes: [0]}
  %2: f32 = constant() {value: 1.0: f32}
  %3: f32[1] = reshape(%2) {shape: [1]}
  %4: f32[n] = broadcast(%3) {shape: [n]}
  %5: f32[n] = mul(%4, %x)
  return %5
}
)");
}

TEST_CASE("narrow floats: f32 inside, rounded where a gradient leaves") {
  CHECK(gradient_text("(%x: bf16[n]) {\n"
                      "  %0: bf16[n] = exp(%x)\n"
                      "  return %0\n}",
                      {.with_results = true}) ==
        R"(graph g_gradient(%x: bf16[n], %grad_0: bf16[n]) {
  %0: bf16[n] = exp(%x)
  %1: f32[n] = cast(%grad_0) {dtype: f32}
  %2: f32[n] = cast(%0) {dtype: f32}
  %3: f32[n] = mul(%1, %2)
  %4: bf16[n] = cast(%3) {dtype: bf16, implicit: true}
  return %0, %4
}
)");
}

TEST_CASE("a parameter that no result depends on has the gradient 0") {
  CHECK(gradient_text("(%x: f32[n], %y: f32[2]) {\n"
                      "  %0: f32[n] = neg(%x)\n"
                      "  return %0\n}",
                      {.wrt = {"y"}}) ==
        R"(graph g_gradient(%x: f32[n], %y: f32[2], %grad_0: f32[n]) {
  %0: f32[n] = neg(%x)
  %1: f32 = constant() {value: 0.0: f32}
  %2: f32[2] = broadcast(%1) {shape: [2]}
  return %2
}
)");
}

TEST_CASE("a gradient is differentiated again under a name that is free") {
  const ir::Graph first = ir::make_gradient(graph_of("(%x: f32[n]) {\n"
                                                     "  %0: f32[n] = sin(%x)\n"
                                                     "  return %0\n}"),
                                            {}, {});

  const ir::Graph second = ir::make_gradient(first, {}, {});

  CHECK(second.name() == "g_gradient_gradient");
  CHECK(second.parameter_name(second.parameters()[1]) == "grad_0");
  CHECK(second.parameter_name(second.parameters()[2]) == "grad_grad_0");
  CHECK(second.outputs().size() == 2);
}

TEST_CASE("composites with a rule stay whole; a maximum that cancels is not differentiated") {
  const ir::Graph attention = normal(
      "(%q: f32[2, 3, 4], %k: f32[2, 5, 4], %v: f32[2, 5, 4]) {\n"
      "  %0.0: f32[2, 3, 4], %0.1: f32[2, 3] = attention(%q, %k, %v)\n"
      "  return %0.0\n}");

  CHECK(has(attention, ir::Op::Max));
  CHECK_FALSE(has(attention, ir::Op::Eq));  // by which a maximum's gradient finds its elements
}

TEST_CASE("a gathered read at counted places goes back without pairs") {
  const ir::Graph gradient = normal(
      "(%x: f32[n, 3]) {\n"
      "  %0: i64[3, n] = iota() {dtype: i64, shape: [3, n], axis: 1}\n"
      "  %1: i64[3, n] = iota() {dtype: i64, shape: [3, n], axis: 0}\n"
      "  %2: f32[3, n] = gather(%x, %0, %1)\n"
      "  return %2\n}");

  CHECK_FALSE(has(gradient, ir::Op::Eq));
  CHECK_FALSE(has(gradient, ir::Op::Sum));
  CHECK(has(gradient, ir::Op::Permute));
}

TEST_CASE("operators without a derivative are refused by name") {
  CHECK(
      message_of("(%x: f32[n]) {\n"
                 "  %0: u32[n] = bitcast(%x) {dtype: u32}\n"
                 "  %1: f32[n] = bitcast(%0) {dtype: f32}\n"
                 "  return %1\n}") ==
      "a gradient goes through bitcast, which has no derivative; write it with operators that have "
      "one, or end the gradient before it with stop_gradient");
  CHECK(message_of("(%x: f32[n]) {\n"
                   "  %0: f32 = reduce(%x) {axes: [0], reducer: fn(%a: f32, %b: f32) { %0: f32 = "
                   "add(%a, %b) return %0 } from [0.0: f32]}\n"
                   "  return %0\n}") ==
        "a gradient goes through reduce with a function, which has no derivative; fold with add, "
        "mul, minimum or maximum, or write it by logsumexp, or end the gradient before it with "
        "stop_gradient");
  CHECK(
      message_of("(%x: f32[n]) {\n"
                 "  %0: f32[n] = scan(%x) {axis: 0, reducer: fn(%a: f32, %b: f32) { %0: f32 = "
                 "add(%a, %b) return %0 } from [0.0: f32]}\n"
                 "  return %0\n}") ==
      "a gradient goes through scan with a function, which has no derivative; fold with add, mul, "
      "minimum or maximum, or write it by logcumsumexp, or end the gradient before it with "
      "stop_gradient");
}

TEST_CASE("bits that no gradient needs are not refused") {
  CHECK_NOTHROW(
      normal("(%x: f32[n], %y: f32[n]) {\n"
             "  %0: u32[n] = bitcast(%x) {dtype: u32}\n"
             "  %1: u32[n] = not(%0)\n"
             "  %2: f32[n] = stop_gradient(%x)\n"
             "  %3: u32[n] = bitcast(%2) {dtype: u32}\n"
             "  %4: f32[n] = bitcast(%3) {dtype: f32}\n"
             "  %5: f32[n] = mul(%4, %y)\n"
             "  return %5, %1\n}"));
}

TEST_CASE("what cannot be differentiated, or by") {
  const std::string text =
      "(%x: f32[n], %i: i64[n], %a: f32 {host: true}) {\n  %0: f32[n] = neg(%x)\n  return %0\n}";
  CHECK(message_of(text, {.wrt = {"z"}}) ==
        "g has no parameter 'z' to differentiate by; it has x, i, a");
  CHECK(message_of(text, {.wrt = {"i"}}) ==
        "a gradient by a tensor of type i64[n]; only floating tensors have gradients");
  CHECK(message_of(text, {.wrt = {"a"}}) ==
        "parameter a of g is a host scalar, which has no gradient; make it a tensor of rank 0");
  CHECK(message_of("(%x: f32[n]) {\n  %0: bool[n] = lt(%x, %x)\n  return %0\n}") ==
        "g has no floating result to differentiate");
  CHECK(message_of("(%x: i32[n]) {\n  %0: f32[n] = cast(%x) {dtype: f32}\n  return %0\n}") ==
        "g has no floating parameter to differentiate by");
}

}  // namespace sinter::tests
