// What verify_graph and verify_function refuse. Graph::add refuses most mistakes already.
#include "ir/verify.h"

#include <doctest/doctest.h>

#include "ir/text.h"

namespace sinter::ir {

namespace {

/// The Function in: fn(<text>.
Graph make_function(const std::string& text) {
  Graph graph = parse_graph("graph " + text);
  graph.set_name("fn");
  return graph;
}

}  // namespace

TEST_CASE("a graph without outputs is refused") {
  Graph graph("silent");
  graph.add_parameter("x", {DType::F32, {}});

  CHECK_THROWS_WITH_AS(verify_graph(graph), "graph silent has no output", InternalError);
}

TEST_CASE("a graph's name is an identifier, so that its text parses") {
  Graph graph("two words");
  graph.set_outputs({graph.add_parameter("x", {DType::F32, {}})});

  CHECK_THROWS_WITH_AS(verify_graph(graph),
                       "the graph name 'two words' is not letters, digits and _", InternalError);
}

TEST_CASE("well-formed graphs and functions pass") {
  verify_graph(parse_graph("graph g(%x: f32[n]) { %0: f32[n] = neg(%x) return %0, %x }"));
  verify_function(make_function("fn(%a: f32, %b: f32) { %0: f32 = mul(%a, %b) return %0 }"));
}

TEST_CASE("a function has an accumulator and an element for each result") {
  CHECK_THROWS_WITH_AS(verify_function(make_function("fn(%a: f32) { return %a }")),
                       "function fn: it has 1 parameters and 1 results; each result needs an "
                       "accumulator and an element",
                       InternalError);
  CHECK_THROWS_WITH_AS(verify_function(make_function("fn(%a: f32, %b: i32) { return %b }")),
                       "function fn: its accumulator %a is f32, but result 0 is i32",
                       InternalError);
}

TEST_CASE("a function holds scalar operators of rank 0 only") {
  CHECK_THROWS_WITH_AS(verify_function(make_function("fn(%a: f32[n], %b: f32[n]) { return %b }")),
                       "function fn: parameter has type f32[n], but only rank 0 may occur",
                       InternalError);
  CHECK_THROWS_WITH_AS(
      verify_function(make_function("fn(%a: f32, %b: f32) { %0: f32 = reshape(%b) {shape: []} "
                                    "return %0 }")),
      "function fn: reshape is no scalar operator", InternalError);
}

}  // namespace sinter::ir
