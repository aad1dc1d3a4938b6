// Every rule of ir/differentiate/ and every composite against central differences of the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "ir/differentiate/gradient.h"
#include "ir/text.h"
#include "tests/ir/gradient_check.h"
#include "tests/support/gradient_graphs.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

TEST_CASE("every operator with a rule has a graph that differentiates it") {
  std::set<ir::Op> seen;
  for (const ir::Graph& graph : make_differentiable_graphs(ir::DType::F64)) {
    for (const ir::Node& node : graph.nodes()) seen.insert(node.op);
  }
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (ir::derivative_of(row.op) != ir::Derivative::Rule) continue;

    CHECK_MESSAGE(seen.contains(row.op), row.text);
  }
}

TEST_CASE("gradients of every operator are the slopes of its results") {
  for (const ir::Graph& graph : make_differentiable_graphs(ir::DType::F64)) {
    CAPTURE(ir::to_string(graph));

    const std::string trouble = difference_from_slopes(graph);

    CHECK_MESSAGE(trouble.empty(), trouble);
  }
}

TEST_CASE("gradients of bf16 operators are those of f64 but for one rounding and f32 sums") {
  const auto narrow = make_differentiable_graphs(ir::DType::BF16);
  const auto wide = make_differentiable_graphs(ir::DType::F64);
  std::size_t compared = 0;
  for (const ir::Graph& graph : narrow) {
    const auto base = [](const ir::Graph& g) { return g.name().substr(0, g.name().rfind('_')); };
    const auto same = [&](const ir::Graph& g) {
      return base(g) == base(graph) && g.nodes().size() == graph.nodes().size() &&
             g.node(g.outputs()[0]).attributes == graph.node(graph.outputs()[0]).attributes;
    };
    const auto other = std::find_if(wide.begin(), wide.end(), same);
    if (other == wide.end()) continue;
    const ir::Graph gradient = ir::make_gradient(graph, {}, {});
    const Numbers inputs = draw_numbers(gradient, {0.1, 0.9}, 5);
    const Numbers given = evaluate_numbers(gradient, inputs);
    const Numbers expected = evaluate_numbers(ir::make_gradient(*other, {}, {}), inputs);

    CAPTURE(ir::to_string(gradient));
    REQUIRE(given.size() == expected.size());
    ++compared;
    for (std::size_t g = 0; g < given.size(); ++g) {
      for (std::size_t i = 0; i < given[g].size(); ++i) {
        const double a = given[g][i];
        const double b = expected[g][i];
        if (!std::isfinite(a) && !std::isfinite(b)) continue;
        // Half a unit in the last place of bf16, and of f32 sums that cancel.
        CHECK(std::abs(a - b) <= std::abs(b) * 0x1p-8 + 0x1p-16);
      }
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("second derivatives are slopes of the first") {
  for (const char* text : {
           "(%x: f64[3, 4]) {\n  %0: f64[3, 4] = softmax(%x) {axis: 1}\n  return %0\n}",
           "(%x: f64[5]) {\n  %0: f64[5] = sigmoid(%x)\n  return %0\n}",
           "(%x: f64[5]) {\n  %0: f64[5] = lgamma(%x)\n  return %0\n}",
           "(%x: f64[5], %y: f64[5]) {\n  %0: f64[5] = pow(%x, %y)\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2] = prod(%x) {axes: [1]}\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2, 5] = cumprod(%x) {axis: 1}\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2, 5] = logcumsumexp(%x) {axis: 1}\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2, 5] = logcumsumexp(%x) {axis: 1, exclusive: true, "
           "reverse: true}\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2] = norm(%x) {axes: [1]}\n  return %0\n}",
           "(%x: f64[2, 5]) {\n  %0: f64[2] = std(%x) {axes: [1]}\n  return %0\n}",
           "(%x: f64[3, 4], %y: f64[4, 2]) {\n  %0: f64[3, 2] = matmul(%x, %y)\n  return %0\n}",
           "(%x: f64[1, 2, 6], %w: f64[3, 2, 3]) {\n  %0: f64[1, 3, 3] = conv(%x, %w) {step: [2], "
           "pad_low: [1], pad_high: [1]}\n  %1: f64[1, 3, 3] = mul(%0, %0)\n  return %1\n}",
           "(%x: f64[2, 6]) {\n  %0: f64[2, 3] = lp_pool(%x) {axes: [1], window: [2]}\n"
           "  return %0\n}",
           "(%x: f64[4, 3], %i: i64[5]) {\n  %0: f64[5, 3] = take(%x, %i) {axis: 0}\n"
           "  %1: f64[5, 3] = exp(%0)\n  return %1\n}",
       }) {
    const ir::Graph first = ir::make_gradient(graph_of(text), {}, {});
    CAPTURE(ir::to_string(first));

    const std::string trouble = difference_from_slopes(first);

    CHECK_MESSAGE(trouble.empty(), trouble);
  }
}

}  // namespace sinter::tests
