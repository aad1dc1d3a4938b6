// Type inference: what every operator needs of its operands and attributes, and pointwise
// operators. Nothing is promoted and nothing is broadcast here: the language inserts explicit
// broadcast nodes, and casts are the user's.
#include <algorithm>

#include "ir/attribute_rules.h"
#include "ir/infer_rules.h"
#include "ir/operand_dtypes.h"
#include "support/check.h"
#include "support/lexer.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

void check_arity(const InferInput& input) {
  const int arity = info(input.op).arity;
  const std::size_t given = input.types.size();
  if (arity < 0 && given == 0) {
    throw_user_at(input.location, "{} needs at least one operand; none was given",
                  to_string(input.op));
  }
  if (arity >= 0 && given != static_cast<std::size_t>(arity)) {
    throw_user_at(input.location, "{} needs {} operand{}; {} given", to_string(input.op), arity,
                  arity == 1 ? "" : "s", given == 1 ? "1 was" : fmt::format("{} were", given));
  }
}

void check_attributes(const InferInput& input) {
  const std::vector<AttributeRule> rules = graph_attributes(input.op);
  for (const AttributeRule& rule : rules) {
    const AttributeValue* value = input.attributes.find(rule.name);
    if (!value && rule.required) {
      throw_user_at(input.location, "{} needs attribute {}; its attributes: {}",
                    to_string(input.op), to_string(rule.name), attributes_text(input.op));
    }
    if (value && !has_attribute_type(rule.name, *value)) {
      throw_user_at(input.location, "attribute {} of {} must be {}", to_string(rule.name),
                    to_string(input.op), attribute_type_text(rule.name));
    }
  }
  for (const Attribute& attribute : input.attributes.list()) {
    const auto is_it = [&](const AttributeRule& rule) { return rule.name == attribute.name; };
    if (std::none_of(rules.begin(), rules.end(), is_it)) {
      throw_user_at(input.location, "{} has no attribute {}; its attributes: {}",
                    to_string(input.op), to_string(attribute.name), attributes_text(input.op));
    }
  }
}

void check_same_shape(const InferInput& input) {
  for (std::size_t i = 1; i < input.types.size(); ++i) {
    const Shape& a = input.types[0].shape;
    const Shape& b = input.types[i].shape;
    if (a == b) continue;
    std::string reason = fmt::format("{} and {} dimensions", a.size(), b.size());
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (a.size() == b.size()) reason = describe_difference(*left, *right);
    throw_user_at(input.location, "{} needs operands of equal shape; given {} and {}: {}",
                  to_string(input.op), to_string(input.types[0]), to_string(input.types[i]),
                  reason);
  }
}

Type infer_cast(const InferInput& input) {
  const DType from = input.types[0].dtype;
  const DType to = input.attributes.get<DType>(AttributeName::DType);
  if (input.op == Op::Bitcast && (bits(from) != bits(to) || to == DType::Bool)) {
    throw_user_at(input.location,
                  "bitcast needs a type of the same width, and not bool; given {} to {}",
                  to_string(from), to_string(to));
  }
  return {to, input.types[0].shape};
}

Type infer_pointwise(const InferInput& input) {
  const OpClass op_class = info(input.op).op_class;
  if (op_class == OpClass::Cast) return infer_cast(input);
  check_same_shape(input);
  if (input.op == Op::Select) return input.types[1];
  const bool is_compare = op_class == OpClass::Compare;
  return {is_compare ? DType::Bool : input.types[0].dtype, input.types[0].shape};
}

Type infer_iota(const InferInput& input) {
  const auto& shape = input.attributes.get<Shape>(AttributeName::Shape);
  const auto axis = input.attributes.get<std::int64_t>(AttributeName::Axis);
  const DType dtype = input.attributes.get<DType>(AttributeName::DType);
  check_shape(shape, input.location);
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) {
    throw_user_at(input.location, "iota of shape {} has no axis {}", to_string(shape), axis);
  }
  if (!accepts_dtype(input.op, dtype)) {
    throw_user_at(input.location, "iota needs {}; given {}", describe_dtypes(input.op),
                  to_string(dtype));
  }
  return {dtype, shape};
}

Type infer_size(const InferInput& input) {
  const auto& shape = input.attributes.get<Shape>(AttributeName::Shape);
  check_shape(shape, input.location);
  if (shape.size() != 1) {
    throw_user_at(input.location, "size needs one expression; given {}", to_string(shape));
  }
  return {DType::I64, {}};
}

Type infer_leaf(const InferInput& input) {
  if (input.op == Op::Constant) {
    return {input.attributes.get<Literal>(AttributeName::Value).dtype, {}};
  }
  if (input.op == Op::Iota) return infer_iota(input);
  if (input.op == Op::Size) return infer_size(input);
  support::throw_internal("{} has no inferred type: use add_parameter", to_string(input.op));
}

Type infer_view(const InferInput& input) {
  if (input.op == Op::Broadcast) return infer_broadcast(input);
  if (input.op == Op::Reshape) return infer_reshape(input);
  if (input.op == Op::Permute) return infer_permute(input);
  if (input.op == Op::Unfold) return infer_unfold(input);
  support::check(input.op == Op::Slice, "view {} has no typing rule", to_string(input.op));
  return infer_slice(input);
}

}  // namespace

void check_shape(const Shape& shape, const SourceLocation& location) {
  for (const Dim& dim : shape) {
    if (!axes_of(dim).empty() || !values_of(dim).empty()) {
      support::throw_internal("the dimension {} mentions an axis or a value", to_string(dim));
    }
    for (const std::string& name : sizes_of(dim)) {
      if (support::is_identifier(name)) continue;
      throw_user_at(location, "the size name '{}' must be letters, digits and _", name);
    }
    if (is_provably_nonnegative(IndexExpr(-1) - dim, {})) {
      throw_user_at(location, "the shape {} has a negative dimension: {}", to_string(shape),
                    to_string(dim));
    }
  }
}

std::string describe_difference(const Dim& a, const Dim& b) {
  if (is_provably_different(a, b)) return fmt::format("{} is not {}", to_string(a), to_string(b));
  return fmt::format(
      "cannot show that {} equals {}; a broadcast of one to the other's shape makes "
      "it a check of each call",
      to_string(a), to_string(b));
}

std::vector<Type> infer_types(Op op, const std::vector<Type>& types, const Attributes& attributes,
                              const SourceLocation& location) {
  const InferInput input{op, types, attributes, location};
  const OpLevel level = info(op).level;
  if (level == OpLevel::Kernel) {
    throw_user_at(location, "{} belongs to kernels: a graph cannot hold it", to_string(op));
  }
  check_arity(input);
  check_attributes(input);
  check_operand_dtypes(op, types, location);
  if (is_pointwise(op)) return {infer_pointwise(input)};
  switch (info(op).op_class) {
    case OpClass::Leaf: return {infer_leaf(input)};
    case OpClass::View: return {infer_view(input)};
    case OpClass::Movement: return {op == Op::Pad ? infer_pad(input) : infer_gather(input)};
    case OpClass::Composite: return infer_composite(input);
    case OpClass::Reduction:
      return op == Op::Reduce ? infer_reduce(input) : std::vector<Type>{infer_reduction(input)};
    case OpClass::Scan: return infer_scan(input);
    case OpClass::Contraction:
      return {op == Op::Einsum ? infer_einsum(input) : infer_matmul(input)};
    case OpClass::Unary:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Ternary:
    case OpClass::Cast:
    case OpClass::Access: break;
  }
  support::throw_internal("{} has no typing rule", to_string(op));
}

}  // namespace sinter::ir
