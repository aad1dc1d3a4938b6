// Building Graphs and comparing them.
#include "ir/graph.h"

#include <doctest/doctest.h>

#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::n;

/// exp(x) + y, with y made before or after the node that does not use it.
Graph make_graph(bool y_first, const SourceLocation& location = {}) {
  Graph graph("sum");
  const Value x = graph.add_parameter("x", {DType::F32, {n}});
  Value y;
  if (y_first) y = graph.add_parameter("y", {DType::F32, {n}});
  const Value exp = graph.add(Op::Exp, {x}, {}, location);
  if (!y_first) y = graph.add_parameter("y", {DType::F32, {n}});
  graph.set_outputs({graph.add(Op::Add, {exp, y})});
  return graph;
}

}  // namespace

TEST_CASE("a graph knows its parameters, types and outputs") {
  const Graph graph = make_graph(true);

  CHECK(graph.parameters() == std::vector<NodeId>{0, 1});
  CHECK(graph.parameter_name(1) == "y");
  CHECK(graph.node(graph.outputs()[0]).op == Op::Add);
  CHECK(to_string(graph.type(graph.outputs()[0])) == "f32[n]");
}

TEST_CASE("equality ignores locations and where parameters stand between other nodes") {
  CHECK(make_graph(true) == make_graph(false));
  CHECK(make_graph(true) == make_graph(true, {"op.cpp", 12}));
}

TEST_CASE("graphs that differ in an operand, attribute, output or name differ") {
  Graph renamed = make_graph(true);
  renamed.set_name("other");
  Graph returns_parameter = make_graph(true);
  returns_parameter.set_outputs({{0, 0}});
  Graph longer = make_graph(true);
  longer.add(Op::Neg, {{0, 0}});

  CHECK_FALSE(make_graph(true) == renamed);
  CHECK_FALSE(make_graph(true) == returns_parameter);
  CHECK_FALSE(make_graph(true) == longer);
}

TEST_CASE("axes of reductions are kept sorted") {
  Graph graph;
  const Value x = graph.add_parameter("x", {DType::F32, {n, 4, 5}});
  const Value sum =
      graph.add(Op::Sum, {x}, {{AttributeName::Axes, std::vector<std::int64_t>{2, 0}}});

  CHECK(graph.node(sum).attributes.get<std::vector<std::int64_t>>(AttributeName::Axes) ==
        std::vector<std::int64_t>{0, 2});
  CHECK(to_string(graph.type(sum)) == "f32[4]");
}

TEST_CASE("parameter names are unique identifiers") {
  Graph graph;
  graph.add_parameter("x", {DType::F32, {}});

  CHECK_THROWS_WITH_AS(graph.add_parameter("x", {DType::F32, {}}, {"op.cpp", 3}),
                       "op.cpp:3: there are two parameters named 'x'", UserError);
  CHECK_THROWS_WITH_AS(graph.add_parameter("a b", {DType::F32, {}}),
                       "the parameter name 'a b' must be letters, digits and _", UserError);
}

TEST_CASE("values that do not exist are refused") {
  Graph graph("empty");

  CHECK_THROWS_WITH_AS(graph.add(Op::Exp, {{5, 0}}), "graph empty has no node 5", InternalError);
  CHECK_THROWS_AS(graph.set_outputs({{0, 0}}), InternalError);
}

}  // namespace sinter::ir
