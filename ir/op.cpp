// The rows of ops.def as a table, and what follows from its columns.
#include "ir/op.h"

#include <limits>

#include "support/check.h"

namespace sinter::ir {

namespace {

constexpr OpInfo kOps[] = {
#define SINTER_PRIMITIVE(name, text, arity, op_class, level, dtypes, commutes, identity, combine, \
                         derivative, meaning)                                                     \
  {Op::name,       text,                                                                          \
   arity,          OpClass::op_class,                                                             \
   OpLevel::level, OpDTypes::dtypes,                                                              \
   commutes != 0,  Identity::identity,                                                            \
   Op::combine,    Derivative::derivative,                                                        \
   meaning},
#include "ir/ops.def"
#undef SINTER_PRIMITIVE
};

Literal extreme(DType dtype, double sign) {
  if (!is_float(dtype)) return make_literal(dtype, sign * std::numeric_limits<double>::infinity());
  // f8e4m3 has no infinity: its largest finite value takes its place.
  const auto infinity = parse_literal(dtype, sign > 0 ? "inf" : "-inf");
  return infinity ? *infinity : make_literal(dtype, sign * std::numeric_limits<double>::infinity());
}

}  // namespace

const OpInfo& info(Op op) {
  support::check(op < Op::None, "operator {} has no row in ops.def", static_cast<int>(op));
  return kOps[static_cast<std::size_t>(op)];
}

std::span<const OpInfo> all_ops() { return kOps; }

std::string_view to_string(Op op) { return op == Op::None ? "none" : info(op).text; }

std::optional<Op> parse_op(std::string_view text) {
  for (const OpInfo& row : kOps) {
    if (row.text == text) return row.op;
  }
  return std::nullopt;
}

bool is_pointwise(Op op) {
  switch (info(op).op_class) {
    case OpClass::Unary:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Ternary:
    case OpClass::Cast: return true;
    case OpClass::Leaf:
    case OpClass::View:
    case OpClass::Movement:
    case OpClass::Reduction:
    case OpClass::Contraction:
    case OpClass::Scan:
    case OpClass::Composite:
    case OpClass::Access: return false;
  }
  return false;
}

Derivative derivative_of(Op op) {
#define SINTER_PRIMITIVE(...)
#define SINTER_DERIVATIVE(Name, derivative) \
  if (op == Op::Name) return Derivative::derivative;
#include "ir/ops.def"
#undef SINTER_PRIMITIVE
  return info(op).derivative;
}

bool is_view(Op op) { return info(op).op_class == OpClass::View; }

bool accepts_dtype(Op op, DType dtype) {
  switch (info(op).dtypes) {
    case OpDTypes::Any: return true;
    case OpDTypes::Numeric: return dtype != DType::Bool;
    case OpDTypes::Float: return is_float(dtype);
    case OpDTypes::Integer: return is_integer(dtype);
    case OpDTypes::Bits: return is_integer(dtype) || dtype == DType::Bool;
  }
  return false;
}

std::optional<Literal> identity_of(Op op, DType dtype) {
  if (!accepts_dtype(op, dtype)) return std::nullopt;
  switch (info(op).identity) {
    case Identity::None: return std::nullopt;
    case Identity::Zero: return make_integer_literal(dtype, 0);  // +0.0: an empty sum is +0.0
    case Identity::One: return make_integer_literal(dtype, 1);
    case Identity::Lowest: return extreme(dtype, -1.0);
    case Identity::Highest: return extreme(dtype, 1.0);
    case Identity::Ones: return make_integer_literal(dtype, -1);
  }
  return std::nullopt;
}

}  // namespace sinter::ir
