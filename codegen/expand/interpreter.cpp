// Flattening and evaluation of Functions.
#include "codegen/expand/interpreter.h"

#include "support/check.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::Graph;
using ir::Literal;
using ir::Node;
using ir::Op;

Interpreter::Interpreter(const Graph& function) : output_(function.outputs().front().node) {
  std::uint64_t parameters = 0;
  for (const Node& node : function.nodes()) {
    const ir::DType result = node.results.front().dtype;
    Step step{.op = node.op, .dtype = result, .result = result, .from = {}, .bits = 0};
    if (node.op == Op::Parameter) {
      step.bits = parameters++;
    } else if (node.op == Op::Constant) {
      step.bits = node.attributes.get<Literal>(AttributeName::Value).bits;
    } else {
      support::check(ir::is_pointwise(node.op) && node.operands.size() <= step.from.size(),
                     "{} in function {} is no scalar operator", to_string(node.op),
                     function.name());
      step.dtype = function.type(node.operands.back()).dtype;
      for (std::size_t i = 0; i < node.operands.size(); ++i) step.from[i] = node.operands[i].node;
    }
    steps_.push_back(step);
  }
}

std::uint64_t Interpreter::evaluate(std::span<const std::uint64_t> arguments) const {
  std::vector<std::uint64_t> registers;
  registers.reserve(steps_.size());
  for (const Step& step : steps_) {
    const auto operand = [&](std::size_t i) { return registers[step.from[i]]; };
    switch (step.op) {
      case Op::Parameter: registers.push_back(arguments[step.bits]); break;
      case Op::Constant: registers.push_back(step.bits); break;
      case Op::Bitcast: registers.push_back(operand(0)); break;
      case Op::Cast:
        registers.push_back(evaluate_cast({step.dtype, operand(0)}, step.result).bits);
        break;
      default:
        registers.push_back(
            evaluate_primitive(step.op, step.dtype, {operand(0), operand(1), operand(2)}));
    }
  }
  return registers[output_];
}

}  // namespace sinter::codegen
