// Examples of the language in one line, with numbers in it: "take([10, 20], [1, 0]: i64) {axis: 0}".
//
//   expression  literal, or operator(expression, ...) {attributes of the text form}
//   literal     number, or [literal, ...], then ": dtype"; without that bool for true and false, else f32
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "tests/support/device_run.h"

namespace sinter::tests {

/// Every literal is an input of the graph; its outputs are the results of the outermost operator.
struct OperatorExample {
  ir::Graph graph;
  std::vector<RandomInput> inputs;

  /// Op::Parameter where the example is a literal alone.
  ir::Op outermost() const { return graph.node(graph.outputs().at(0)).op; }
};

/// `more` are attributes that the outermost operator has too, where the text does not give them. Mistakes
/// are UserErrors with line and column.
OperatorExample parse_example(std::string_view text, const ir::Attributes& more = {});

/// Outputs as a reader writes them, apart by "; ": "[0.5, nan]: f32; 3: i64". Floats have four digits.
std::string to_text(const ir::Graph& graph, const DeviceOutputs& outputs);

}  // namespace sinter::tests
