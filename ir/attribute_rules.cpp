// The table of attributes that Graph nodes have.
#include "ir/attribute_rules.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::ir {

namespace {

/// The attributes column of a composite: names, those that must be given followed by `!`.
std::vector<AttributeRule> parse_rules(std::string_view column) {
  std::vector<AttributeRule> rules;
  while (!column.empty()) {
    const std::size_t end = std::min(column.find(' '), column.size());
    std::string_view word = column.substr(0, end);
    column.remove_prefix(std::min(end + 1, column.size()));
    const bool is_required = word.ends_with('!');
    if (is_required) word.remove_suffix(1);
    const auto name = parse_attribute_name(word);
    support::check(name.has_value(),
                   "ops.def names an attribute '{}', which is not in attributes.def", word);
    rules.push_back({*name, is_required});
  }
  return rules;
}

std::vector<AttributeRule> composite_attributes(Op op) {
#define SINTER_PRIMITIVE(...)
#define SINTER_COMPOSITE(Name, text, arity, dtypes, attributes, meaning) \
  if (op == Op::Name) return parse_rules(attributes);
#include "ir/ops.def"
#undef SINTER_COMPOSITE
#undef SINTER_PRIMITIVE
  support::throw_internal("{} is no composite", to_string(op));
}

}  // namespace

std::vector<AttributeRule> graph_attributes(Op op) {
  const auto needs = [](auto... names) { return std::vector<AttributeRule>{{names, true}...}; };
  using enum AttributeName;
  if (op == Op::Parameter) return {{Name, true}, {Host, false}};
  if (op == Op::Constant) return needs(Value);
  if (op == Op::Iota) return needs(AttributeName::DType, AttributeName::Shape, Axis);
  if (op == Op::Size) return needs(AttributeName::Shape);
  if (op == Op::Permute) return needs(Axes);
  if (op == Op::Unfold) return needs(Axes, Step, Window, Dilation);
  if (op == Op::Pad) return needs(AttributeName::Shape, Begin, Outside);
  if (op == Op::Einsum) return {{Equation, true}, {AttributeName::Precision, false}};
  if (op == Op::Cast) return {{AttributeName::DType, true}, {Implicit, false}};
  if (op == Op::Slice) return needs(AttributeName::Shape, Begin, Step);
  if (op == Op::Reduce) return needs(Axes, AttributeName::Reducer);
  if (op == Op::Sum) return {{AttributeName::DType, false}, {Axes, true}};
  switch (info(op).op_class) {
    case OpClass::Cast: return needs(AttributeName::DType);
    case OpClass::View: return needs(AttributeName::Shape);
    case OpClass::Reduction: return needs(Axes);
    case OpClass::Composite: return composite_attributes(op);
    case OpClass::Movement: return {};
    case OpClass::Contraction: return {{AttributeName::Precision, false}};
    case OpClass::Scan:
      return {{Axis, true}, {AttributeName::Reducer, true}, {Exclusive, false}, {Reverse, false}};
    case OpClass::Leaf:
    case OpClass::Unary:
    case OpClass::Binary:
    case OpClass::Compare:
    case OpClass::Ternary:
    case OpClass::Access: return {};
  }
  return {};
}

std::string attributes_text(Op op) {
  std::string text;
  for (const AttributeRule& rule : graph_attributes(op)) {
    if (!text.empty()) text += ", ";
    text += to_string(rule.name);
    if (rule.required) text += " (needed)";
  }
  return text.empty() ? "none" : text;
}

bool has_attribute_type(AttributeName name, const AttributeValue& value) {
  return value.index() == static_cast<std::size_t>(kind_of(name));
}

std::string_view attribute_type_text(AttributeName name) {
  switch (kind_of(name)) {
    case AttributeKind::Bool: return "true or false";
    case AttributeKind::Integer: return "an integer";
    case AttributeKind::Integers: return "a list of integers";
    case AttributeKind::Real: return "a number";
    case AttributeKind::Text: return "a text";
    case AttributeKind::DType: return "an element type";
    case AttributeKind::Precision: return "a precision";
    case AttributeKind::Literal: return "a literal";
    case AttributeKind::Shape: return "a list of size expressions";
    case AttributeKind::Reducer: return "a reducer";
  }
  return "";
}

}  // namespace sinter::ir
