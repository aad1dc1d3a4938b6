// The dtypes column of ops.def, and one dtype for what is computed element by element.
#include "ir/operand_dtypes.h"

#include <algorithm>
#include <span>

#include "support/check.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

/// All operands from `first` on have one dtype.
void check_same_dtype(Op op, const std::vector<Type>& types, std::size_t first,
                      const SourceLocation& location) {
  for (std::size_t i = first + 1; i < types.size(); ++i) {
    if (types[i].dtype == types[first].dtype) continue;
    throw_user_at(location, "{} needs operands of one dtype; given {} and {}: cast one",
                  to_string(op), to_string(types[first]), to_string(types[i]));
  }
}

}  // namespace

std::string_view describe_dtypes(Op op) {
  switch (info(op).dtypes) {
    case OpDTypes::Any: return "any type";
    case OpDTypes::Numeric: return "numbers, not bool";
    case OpDTypes::Float: return "floating point";
    case OpDTypes::Integer: return "integers";
    case OpDTypes::Bits: return "integers or bool";
  }
  return "";
}

void check_operand_dtypes(Op op, const std::vector<Type>& types, const SourceLocation& location) {
  const bool is_composite = info(op).op_class == OpClass::Composite;
  const std::size_t count = is_composite ? std::min<std::size_t>(1, types.size()) : types.size();
  for (const Type& type : std::span(types).first(count)) {
    if (accepts_dtype(op, type.dtype)) continue;
    throw_user_at(location, "{} needs {}; given {}", to_string(op), describe_dtypes(op),
                  to_string(type));
  }
  if (!is_pointwise(op)) return;
  if (op == Op::Select && types[0].dtype != DType::Bool) {
    throw_user_at(location, "select needs a bool condition; given {}", to_string(types[0]));
  }
  check_same_dtype(op, types, op == Op::Select ? 1 : 0, location);
}

}  // namespace sinter::ir
