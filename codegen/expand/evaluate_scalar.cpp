// One scalar operator on literals: primitives directly, elementary functions by their expansions.
#include <map>

#include "codegen/expand/expand.h"
#include "codegen/expand/interpreter.h"
#include "support/check.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

/// Interpreters of all expansions, made once.
const Interpreter& interpreter_of(Op op, DType dtype) {
  static const std::map<std::pair<Op, DType>, Interpreter> all = [] {
    std::map<std::pair<Op, DType>, Interpreter> made;
    for (const ir::OpInfo& row : ir::all_ops()) {
      for (const DType type : {DType::F32, DType::F64}) {
        const auto function = expansion_of(row.op, type);
        if (function) made.emplace(std::pair(row.op, type), Interpreter(*function));
      }
    }
    return made;
  }();
  return all.at({op, dtype});
}

/// Narrow floats are computed in f32 and rounded once more.
Literal evaluate_elementary(Op op, std::span<const Literal> operands) {
  const DType dtype = operands[0].dtype;
  const DType computed = ir::compute_dtype(dtype);
  std::vector<std::uint64_t> wide;
  for (const Literal& operand : operands) wide.push_back(evaluate_cast(operand, computed).bits);
  const Literal result{computed, interpreter_of(op, computed).evaluate(wide)};
  // By way of f64 even where the type stays: every NaN becomes the canonical one.
  return ir::make_literal(dtype, ir::as_double(result));
}

void check_operands(Op op, std::span<const Literal> operands) {
  support::check(static_cast<int>(operands.size()) == ir::info(op).arity,
                 "{} takes {} operands, not {}", to_string(op), ir::info(op).arity,
                 operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_condition = op == Op::Select && i == 0;
    const DType expected = is_condition ? DType::Bool : operands.back().dtype;
    support::check(operands[i].dtype == expected, "operand {} of {} is {}, not {}", i,
                   to_string(op), to_string(operands[i].dtype), to_string(expected));
  }
  support::check(operands.empty() || ir::accepts_dtype(op, operands.back().dtype),
                 "{} does not take {}", to_string(op), to_string(operands.back().dtype));
}

}  // namespace

Literal evaluate_scalar(Op op, std::span<const Literal> operands,
                        const ir::Attributes& attributes) {
  if (op == Op::Constant) return attributes.get<Literal>(AttributeName::Value);
  check_operands(op, operands);
  if (op == Op::Cast)
    return evaluate_cast(operands[0], attributes.get<DType>(AttributeName::DType));
  if (op == Op::Bitcast) {
    const DType dtype = attributes.get<DType>(AttributeName::DType);
    support::check(ir::bits(dtype) == ir::bits(operands[0].dtype), "bitcast of {} to {}",
                   to_string(operands[0].dtype), to_string(dtype));
    return {dtype, operands[0].bits};
  }
  const DType dtype = operands.back().dtype;
  if (expansion_of(op, dtype)) return evaluate_elementary(op, operands);

  OperandBits bits{};
  for (std::size_t i = 0; i < operands.size(); ++i) bits[i] = operands[i].bits;
  const bool is_compare = ir::info(op).op_class == ir::OpClass::Compare;
  return {is_compare ? DType::Bool : dtype, evaluate_primitive(op, dtype, bits)};
}

}  // namespace sinter::codegen
