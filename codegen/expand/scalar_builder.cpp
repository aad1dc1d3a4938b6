// Node construction of ScalarBuilder.
#include "codegen/expand/scalar_builder.h"

#include "support/check.h"

namespace sinter::codegen {

using ir::DType;
using ir::Literal;
using ir::Op;
using ir::Value;

ScalarBuilder::ScalarBuilder(const std::string& name, DType dtype)
    : graph_(name), float_(dtype), bits_(dtype == DType::F32 ? DType::U32 : DType::U64) {
  support::check(dtype == DType::F32 || dtype == DType::F64, "{} expanded for {}", name,
                 to_string(dtype));
}

Value ScalarBuilder::parameter(const std::string& name) {
  return graph_.add_parameter(name, {.dtype = float_, .shape = {}});
}

Value ScalarBuilder::number(double value) {
  const std::optional<Literal> literal = ir::make_exact_literal(float_, value);
  support::check(literal.has_value(), "{} is no exact {}", value, to_string(float_));
  return constant(*literal);
}

Value ScalarBuilder::bits(std::uint64_t pattern) {
  return constant({.dtype = bits_, .bits = pattern});
}

Value ScalarBuilder::constant(Literal literal) {
  const auto found = constants_.find(literal);
  if (found != constants_.end()) return found->second;
  return constants_.emplace(literal, graph_.add_constant(literal)).first->second;
}

Value ScalarBuilder::append(Op op, std::vector<Value> operands) {
  return graph_.add(op, std::move(operands));
}

Value ScalarBuilder::polynomial(std::span<const double> coefficients, Value x) {
  Value sum = number(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    sum = fma(sum, x, number(coefficients[i]));
  }
  return sum;
}

Value ScalarBuilder::shift_left(Value a, std::uint64_t by) {
  return append(Op::ShiftLeft, {a, bits(by)});
}

Value ScalarBuilder::shift_right(Value a, std::uint64_t by) {
  return append(Op::ShiftRight, {a, bits(by)});
}

Value ScalarBuilder::to_bits(Value a) {
  return graph_.add(Op::Bitcast, {a}, {{ir::AttributeName::DType, bits_}});
}

Value ScalarBuilder::from_bits(Value a) {
  return graph_.add(Op::Bitcast, {a}, {{ir::AttributeName::DType, float_}});
}

std::shared_ptr<const ir::Graph> ScalarBuilder::finish(Value result) {
  graph_.set_outputs({result});
  return std::make_shared<const ir::Graph>(std::move(graph_));
}

}  // namespace sinter::codegen
