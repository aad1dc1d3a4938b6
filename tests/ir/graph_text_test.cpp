// Graph texts: print and parse are inverse to each other; mistakes are named with line and column.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace sinter::ir {

namespace {

void check_round_trip(const std::string& text) {
  const Graph graph = parse_graph(text);

  verify_graph(graph);
  CHECK(to_string(graph) == text);
  CHECK(parse_graph(to_string(graph)) == graph);
}

std::string error_of(const std::string& body) {
  try {
    parse_graph("graph g(%x: f32[n, 4]) {\n" + body + "\n}\n");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a graph prints and parses back") {
  check_round_trip(
      R"(graph residual_projection(%x: f32[batch, 256], %r: f32[batch, 64], %w: f32[256, 64]) {
  %0: f32[batch, 64] = matmul(%x, %w) {precision: split}  // op.cpp:12
  %1: f32[batch, 64] = add(%0, %r)
  return %1, %0
}
)");
}

TEST_CASE("views, constants and casts print and parse back") {
  check_round_trip(R"(graph views(%x: bf16[n, 2*m]) {
  %0: bf16[2*m, n] = permute(%x) {axes: [1, 0]}
  %1: bf16[2, m, n] = reshape(%0) {shape: [2, m, n]}
  %2: bf16[1, m, n] = slice(%1) {shape: [1, m, n], begin: [1, 0, n - 1], step: [1, 1, -1]}
  %3: f32[1, m, n] = cast(%2) {dtype: f32}
  %4: f32 = constant() {value: -0.5: f32}
  %5: f32[1, m, n] = broadcast(%4) {shape: [1, m, n]}
  %6: f32[1, m, n] = mul(%3, %5)
  %7: f32[m, n] = sum(%6) {axes: [0]}
  %8: i32[max(1, n)] = iota() {dtype: i32, shape: [max(1, n)], axis: 0}
  return %7, %8
}
)");
}

TEST_CASE("several results and functions print and parse back") {
  check_round_trip(R"(graph argmax(%x: f32[n, m]) {
  %0: i64[n, m] = iota() {dtype: i64, shape: [n, m], axis: 1}
  %1.0: f32[n], %1.1: i64[n] = reduce(%x, %0) {axes: [1], reducer: fn(%a: f32, %i: i64, %b: f32, %j: i64) { %0: bool = gt(%b, %a) %1: f32 = select(%0, %b, %a) %2: i64 = select(%0, %j, %i) return %1, %2 } from [-inf: f32, 0: i64]}
  %2: f32[n, m] = scan(%x) {axis: 1, reducer: add, exclusive: true, reverse: false}
  return %1.1, %2
}
)");
}

TEST_CASE("host scalars and sums in a named type print and parse back") {
  check_round_trip(R"(graph scaled(%x: f32[n], %alpha: f32 {host: true}, %b: f32) {
  %0: f32[n] = broadcast(%alpha) {shape: [n]}
  %1: f32[n] = mul(%x, %0)
  %2: f64 = sum(%1) {dtype: f64, axes: [0]}
  return %2
}
)");
}

TEST_CASE("a host scalar differs from a tensor of rank 0") {
  const Graph host = parse_graph("graph g(%x: f32 {host: true}) { return %x }");

  CHECK(host.is_host_scalar(0));
  CHECK_FALSE(host == parse_graph("graph g(%x: f32) { return %x }"));
  CHECK_THROWS_WITH_AS(parse_graph("graph g(%x: f32[4] {host: true}) { return %x }"),
                       "graph text:1:20: a host scalar has rank 0; given f32[4]", UserError);
  CHECK_THROWS_WITH_AS(parse_graph("graph g(%x: f32 {host: false}) { return %x }"),
                       "graph text:1:17: a parameter has no attribute but {host: true}", UserError);
  CHECK_THROWS_WITH_AS(parse_graph("graph g(%x: f32 {axis: 1}) { return %x }"),
                       "graph text:1:17: a parameter has no attribute but {host: true}", UserError);
}

TEST_CASE("parameters made between other nodes come first in the text") {
  Graph graph("late");
  const Value x = graph.add_parameter("x", {DType::F32, {}});
  const Value y = graph.add(Op::Exp, {x}, {}, {"op.cpp", 3});
  const Value z = graph.add_parameter("z", {DType::F32, {}});
  graph.set_outputs({graph.add(Op::Add, {y, z})});

  const std::string text = to_string(graph, {.locations = false});

  CHECK(text ==
        "graph late(%x: f32, %z: f32) {\n  %0: f32 = exp(%x)\n  %1: f32 = add(%0, %z)\n"
        "  return %1\n}\n");
  CHECK(parse_graph(text) == graph);
}

TEST_CASE("values may have any names and are numbered anew") {
  const Graph graph = parse_graph("graph g(%x: f32) { %twice: f32 = add(%x, %x) return %twice }");

  CHECK(to_string(graph) == "graph g(%x: f32) {\n  %0: f32 = add(%x, %x)\n  return %0\n}\n");
}

TEST_CASE("locations are read back") {
  const Graph graph =
      parse_graph("graph g(%x: f32) {\n%0: f32 = exp(%x)  // op.cpp:12\nreturn %0\n}");

  CHECK(graph.node(1).location.file == "op.cpp");
  CHECK(graph.node(1).location.line == 12);
}

TEST_CASE("mistakes in a graph's text are named with line and column") {
  CHECK(error_of("  %0: f32[n, 4] = expp(%x)\n  return %0") ==
        "graph text:2:19: found 'expp', an operator is needed; did you mean 'exp'?");
  CHECK(error_of("  %0: f32[n, 4] = exp(%y)\n  return %0") ==
        "graph text:2:23: %y is not defined before its use");
  CHECK(error_of("  %0: f32[n, 4] = add(%x)\n  return %0") ==
        "graph text:2:19: add needs 2 operands; 1 was given");
  CHECK(error_of("  %0: f32[n, 5] = exp(%x)\n  return %0") ==
        "graph text:2:3: %0 is written as f32[n, 5], but its operands give f32[n, 4]");
  CHECK(error_of("  %x: f32[n, 4] = exp(%x)\n  return %x") ==
        "graph text:2:3: %x is defined twice");
  CHECK(error_of("  %0.1: f32[n, 4] = exp(%x)\n  return %0") ==
        "graph text:2:3: %0.1 names result 0 of 1, %0 is needed");
  CHECK(error_of("  %0: f32[n, 4] = exp(%x)") ==
        "graph text:3:1: found '}', a value (%name) or return is needed");
}

TEST_CASE("what is given for each axis moves with the axes when they are sorted") {
  const auto parse = [](const std::string& use) {
    return parse_graph("graph g(%x: f32[2, 3, 8, 9]) {\n  %0: f32[2, 3, 4, 3] = " + use +
                       "\n  return %0\n}");
  };

  CHECK(parse("max_pool(%x) {axes: [3, 2], step: [4, 2], window: [3, 2], dilation: [2, 1], "
              "pad_low: [4, 0], pad_high: [1, 1]}") ==
        parse("max_pool(%x) {axes: [2, 3], step: [2, 4], window: [2, 3], dilation: [1, 2], "
              "pad_low: [0, 4], pad_high: [1, 1]}"));
  CHECK(parse("adaptive_avg_pool(%x) {shape: [3, 4], axes: [3, 2]}") ==
        parse("adaptive_avg_pool(%x) {shape: [4, 3], axes: [2, 3]}"));
  CHECK(parse("interpolate(%x) {shape: [3, 4], axes: [3, 2]}") ==
        parse("interpolate(%x) {shape: [4, 3], axes: [2, 3]}"));
}

TEST_CASE("the axes of fold_windows say the order of its operand's dimensions, and stay") {
  check_round_trip(R"(graph g(%x: f32[4, 3, 5, 2]) {
  %0: f32[5, 7] = fold_windows(%x) {shape: [5, 7], axes: [1, 0], step: [1, 1], window: [5, 2], dilation: [1, 1]}
  return %0
}
)");
  CHECK(
      error_of("  %0: f32[5, 7] = fold_windows(%x) {shape: [5, 7], axes: [1, 0], step: [1, 1], "
               "window: [2, 5], dilation: [1, 1]}\n  return %0") ==
      "graph text:2:19: fold_windows: an operand of shape [1, 6, 2, 5] is needed; given f32[n, 4]");
}

TEST_CASE("attributes that an operator has not are refused with the list of its own") {
  CHECK(error_of("  %0: f32[n, 4] = softmax(%x) {axes: [1]}\n  return %0") ==
        "graph text:2:32: found 'axes', an attribute of softmax is needed; its attributes: axis "
        "(needed)");
  CHECK(
      error_of("  %0: f32[n] = var(%x) {axs: [1]}\n  return %0") ==
      "graph text:2:25: found 'axs', an attribute of var is needed; its attributes: axes (needed), "
      "correction");
  CHECK(error_of("  %0: f32[n, 2] = slice(%x) {axis: 1, begin: 0, extent: 2}\n  return %0") ==
        "graph text:2:30: found 'axis', an attribute of slice is needed; its attributes: shape "
        "(needed), begin (needed), step (needed)");
  CHECK(error_of("  %0: f32[n, 4] = exp(%x) {axis: 1}\n  return %0") ==
        "graph text:2:28: found 'axis', an attribute of exp is needed; its attributes: none");
  CHECK(error_of("  %0: f32[n] = var(%x) {correction: 1}\n  return %0") ==
        "graph text:2:16: var needs attribute axes; its attributes: axes (needed), correction");
}

}  // namespace sinter::ir
