// See composite.h.
#include "dsl/composite.h"

#include "support/check.h"

namespace sinter::dsl {

Tensor add_composite(ir::Op op, std::initializer_list<const Operand*> operands,
                     ir::Attributes attributes) {
  const std::shared_ptr<Trace> trace = trace_of(operands);
  DType dtype = DType::Bool;
  for (const Operand* operand : operands) {
    if (dtype == DType::Bool && operand->tensor()) dtype = operand->tensor()->dtype();
  }
  std::vector<ir::Value> values;
  for (const Operand* operand : operands) values.push_back(value_of(*trace, *operand, dtype));
  return add_node(trace, op, std::move(values), std::move(attributes),
                  (*operands.begin())->location());
}

const Tensor& tensor_of(ir::Op op, const Operand& a) {
  return require_tensor(a, std::string(ir::to_string(op)).c_str());
}

std::int64_t axis_of(ir::Op op, const Operand& a, int axis) {
  return normalize_axis(axis, tensor_of(op, a).rank(), a.location());
}

Tensor add_along(ir::Op op, std::initializer_list<const Operand*> operands, int axis,
                 ir::Attributes attributes) {
  for (const Operand* operand : operands) tensor_of(op, *operand);
  attributes.set(ir::AttributeName::Axis, axis_of(op, **operands.begin(), axis));
  return add_composite(op, operands, std::move(attributes));
}

Tensor add_composite(ir::Op op, const Operand& first, const std::vector<Tensor>& others,
                     ir::Attributes attributes) {
  const Tensor& tensor = tensor_of(op, first);
  std::vector<ir::Value> values{to_value(tensor)};
  for (const Tensor& other : others) {
    const Operand operand = operand_at(other, first.location());
    trace_of({&first, &operand});  // refuses another operator's
    values.push_back(to_value(other));
  }
  return add_node(tensor.trace(), op, std::move(values), std::move(attributes), first.location());
}

std::vector<std::int64_t> expand_list(const std::vector<std::int64_t>& list, std::size_t count,
                                      std::int64_t fallback, const char* name,
                                      const Operand& first) {
  if (list.empty()) return std::vector<std::int64_t>(count, fallback);
  if (list.size() == 1) return std::vector<std::int64_t>(count, list[0]);
  if (list.size() == count) return list;
  const std::string needed = count == 1 ? "1 is" : fmt::format("1 or {} are", count);
  support::throw_user_at(first.location(), "{} has {} numbers; {} needed", name, list.size(),
                         needed);
}

}  // namespace sinter::dsl
