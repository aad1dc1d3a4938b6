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

Value ScalarBuilder::number(DType dtype, double value) {
  const std::optional<Literal> literal = ir::make_exact_literal(dtype, value);
  support::check(literal.has_value(), "{} is no exact {}", value, to_string(dtype));
  return constant(*literal);
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

Value ScalarBuilder::with_sign_of(Value x, Value magnitude) {
  return from_bits(bit_or(to_bits(magnitude), bit_and(to_bits(x), bits(sign_bit()))));
}

Value ScalarBuilder::bitcast(Value a, DType dtype) {
  return graph_.add(Op::Bitcast, {a}, {{ir::AttributeName::DType, dtype}});
}

Value ScalarBuilder::cast(Value a, DType dtype) {
  return graph_.add(Op::Cast, {a}, {{ir::AttributeName::DType, dtype}});
}

std::shared_ptr<const ir::Graph> ScalarBuilder::finish(Value result) {
  graph_.set_outputs({result});
  return std::make_shared<const ir::Graph>(std::move(graph_));
}

}  // namespace sinter::codegen
