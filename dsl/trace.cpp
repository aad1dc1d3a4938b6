// How operands enter the traced Graph: literals, broadcasting, axes.
#include "dsl/trace.h"

#include <cmath>
#include <limits>

#include "ir/broadcast.h"
#include "ir/dtype.h"
#include "ir/operand_dtypes.h"
#include "support/check.h"

namespace sinter::dsl {

namespace {

thread_local std::shared_ptr<Trace> t_current;

std::string literal_text(const Operand& operand) {
  if (operand.is_huge()) return fmt::format("{}", static_cast<std::uint64_t>(operand.integer()));
  if (operand.is_integer()) return fmt::format("{}", operand.integer());
  return fmt::format("{}", operand.real());
}

[[noreturn]] void refuse_literal(const Operand& operand, DType dtype) {
  support::throw_user_at(operand.location(),
                         "the literal {} is not representable as {}; cast the tensor or change the "
                         "literal",
                         literal_text(operand), to_string(dtype));
}

ir::Literal integer_literal(const Operand& operand, DType dtype) {
  const std::int64_t value = operand.integer();
  const double real = operand.is_huge() ? static_cast<double>(static_cast<std::uint64_t>(value))
                                        : static_cast<double>(value);
  if (ir::is_float(dtype)) {
    const auto literal = ir::make_exact_literal(dtype, real);
    const double limit = std::ldexp(1.0, 53);
    if (!literal || std::abs(real) > limit) refuse_literal(operand, dtype);
    return *literal;
  }
  const ir::Literal literal = ir::make_integer_literal(dtype, value);
  const bool fits = operand.is_huge()
                        ? dtype == DType::U64
                        : ir::as_integer(literal) == value && (value >= 0 || dtype != DType::U64);
  if (!fits) refuse_literal(operand, dtype);
  return literal;
}

// A real literal rounds to a float dtype, but may not overflow it; integers take whole ones only.
ir::Literal real_literal(const Operand& operand, DType dtype) {
  const double value = operand.real();
  if (!ir::is_float(dtype)) {
    const auto literal = ir::make_exact_literal(dtype, value);
    if (!literal) refuse_literal(operand, dtype);
    return *literal;
  }
  const ir::Literal literal = ir::make_literal(dtype, value);
  const double back = ir::as_double(literal);
  if (std::isinf(value) != std::isinf(back) || std::isnan(value) != std::isnan(back)) {
    refuse_literal(operand, dtype);
  }
  // f8 conversions saturate: anything that moved by more than half a step was out of range.
  if (std::isfinite(value) && std::abs(back - value) > std::abs(value) * 0.25 &&
      std::abs(back) < std::abs(value) && std::abs(value) > 1) {
    refuse_literal(operand, dtype);
  }
  return literal;
}

}  // namespace

const std::shared_ptr<Trace>& current_trace(const SourceLocation& location) {
  if (!t_current) {
    support::throw_user_at(location, "tensor expressions stand inside the body of a SINTER_OP");
  }
  return t_current;
}

void check_current(const std::shared_ptr<Trace>& trace, const SourceLocation& location) {
  if (trace == t_current) return;
  const bool is_again = t_current && trace->owner == t_current->owner;
  support::throw_user_at(
      location, "a tensor of {}{} is used {}; it is valid only inside the body that made it",
      is_again ? "an earlier trace of " : "", trace->owner,
      t_current ? "in the body of " + t_current->owner : "outside of any operator's body");
}

TraceScope::TraceScope(std::shared_ptr<Trace> trace) : previous_(std::move(t_current)) {
  t_current = std::move(trace);
}

TraceScope::~TraceScope() { t_current = std::move(previous_); }

std::shared_ptr<Trace> trace_of(std::initializer_list<const Operand*> operands) {
  std::shared_ptr<Trace> trace;
  for (const Operand* operand : operands) {
    if (!operand->tensor()) continue;
    trace = operand->tensor()->trace();
    check_current(trace, operand->location());
  }
  if (!trace) {
    support::throw_user_at((*operands.begin())->location(),
                           "all operands are host literals; at least one tensor is needed");
  }
  return trace;
}

ir::Literal literal_of(const Operand& operand, DType dtype, const char* function) {
  if (operand.tensor()) {
    support::throw_user_at(operand.location(), "{} with a tensor; a host literal is needed",
                           function);
  }
  return operand.is_integer() ? integer_literal(operand, dtype) : real_literal(operand, dtype);
}

ir::Value value_of(Trace& trace, const Operand& operand, DType dtype) {
  if (operand.tensor()) return to_value(*operand.tensor());
  return trace.graph.add_constant(literal_of(operand, dtype, ""), operand.location());
}

const Tensor& require_tensor(const Operand& operand, const char* function) {
  if (!operand.tensor()) {
    support::throw_user_at(operand.location(), "{} of the host literal {}; a tensor is needed",
                           function, literal_text(operand));
  }
  check_current(operand.tensor()->trace(), operand.location());
  return *operand.tensor();
}

Tensor add_node(const std::shared_ptr<Trace>& trace, ir::Op op, std::vector<ir::Value> operands,
                ir::Attributes attributes, const SourceLocation& location) {
  check_current(trace, location);
  const ir::Value value =
      trace->graph.add(op, std::move(operands), std::move(attributes), location);
  return {trace, value.node, value.result};
}

Tensor add_pointwise(ir::Op op, std::initializer_list<const Operand*> operands,
                     ir::Attributes attributes, std::size_t dtype_from) {
  const std::shared_ptr<Trace> trace = trace_of(operands);
  const SourceLocation& location = (*operands.begin())->location();
  DType dtype = DType::Bool;  // where only literals stand from dtype_from on: refused by inference
  for (std::size_t i = operands.size(); i-- > dtype_from;) {
    const Operand* operand = operands.begin()[i];
    if (operand->tensor()) dtype = operand->tensor()->dtype();
  }
  std::vector<ir::Value> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    values.push_back(value_of(*trace, *operands.begin()[i], i < dtype_from ? DType::Bool : dtype));
  }
  std::vector<ir::Type> given;
  for (const ir::Value value : values) given.push_back(trace->graph.type(value));
  ir::check_operand_dtypes(op, given, location);
  ir::Shape shape;
  for (const ir::Value value : values) {
    shape = ir::broadcast_shapes(shape, trace->graph.type(value).shape, location);
  }
  for (ir::Value& value : values) value = ir::broadcast_value(trace->graph, value, shape, location);
  return add_node(trace, op, std::move(values), std::move(attributes), location);
}

std::int64_t normalize_axis(int axis, int rank, const SourceLocation& location) {
  if (rank == 0) {
    support::throw_user_at(location, "axis {} of a tensor of rank 0, which has no axes", axis);
  }
  if (axis < -rank || axis >= rank) {
    support::throw_user_at(location, "axis {} of a tensor of rank {}; an axis is in [{}, {}]", axis,
                           rank, -rank, rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

std::int64_t normalize_new_axis(int axis, int rank, const SourceLocation& location) {
  if (axis < -rank - 1 || axis > rank) {
    support::throw_user_at(location,
                           "a new axis {} beside those of a tensor of rank {}; it is in [{}, {}]",
                           axis, rank, -rank - 1, rank);
  }
  return axis < 0 ? axis + rank + 1 : axis;
}

ir::Shape to_shape(const std::vector<Dim>& dims) {
  ir::Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.expr());
  return shape;
}

}  // namespace sinter::dsl
