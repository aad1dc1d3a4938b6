// The table of attributes that Graph nodes have.
#include "ir/attribute_rules.h"

namespace sinter::ir {

std::vector<AttributeRule> graph_attributes(Op op) {
  const auto needs = [](auto... names) { return std::vector<AttributeRule>{{names, true}...}; };
  using enum AttributeName;
  if (op == Op::Parameter) return {{Name, true}, {Host, false}};
  if (op == Op::Constant) return needs(Value);
  if (op == Op::Iota) return needs(AttributeName::DType, AttributeName::Shape, Axis);
  if (op == Op::Size) return needs(AttributeName::Shape);
  if (op == Op::Permute) return needs(Axes);
  if (op == Op::Slice) return needs(AttributeName::Shape, Begin, Step);
  if (op == Op::Reduce) return needs(Axes, AttributeName::Reducer);
  if (op == Op::Sum || op == Op::Mean) return {{AttributeName::DType, false}, {Axes, true}};
  switch (info(op).op_class) {
    case OpClass::Cast: return needs(AttributeName::DType);
    case OpClass::View: return needs(AttributeName::Shape);
    case OpClass::Reduction:
    case OpClass::Composite: return needs(Axes);
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

bool has_attribute_type(AttributeName name, const AttributeValue& value) {
  switch (name) {
    case AttributeName::Name: return std::holds_alternative<std::string>(value);
    case AttributeName::Value:
    case AttributeName::Outside: return std::holds_alternative<Literal>(value);
    case AttributeName::DType: return std::holds_alternative<DType>(value);
    case AttributeName::Shape:
    case AttributeName::Begin:
    case AttributeName::Map:
    case AttributeName::Where: return std::holds_alternative<Shape>(value);
    case AttributeName::Axis:
    case AttributeName::Param: return std::holds_alternative<std::int64_t>(value);
    case AttributeName::Axes:
    case AttributeName::Step: return std::holds_alternative<std::vector<std::int64_t>>(value);
    case AttributeName::Precision: return std::holds_alternative<Precision>(value);
    case AttributeName::Reducer: return std::holds_alternative<Reducer>(value);
    case AttributeName::Host:
    case AttributeName::Exclusive:
    case AttributeName::Reverse: return std::holds_alternative<bool>(value);
  }
  return false;
}

std::string_view attribute_type_text(AttributeName name) {
  switch (name) {
    case AttributeName::Name: return "a text";
    case AttributeName::Value:
    case AttributeName::Outside: return "a literal";
    case AttributeName::DType: return "an element type";
    case AttributeName::Shape:
    case AttributeName::Begin:
    case AttributeName::Map:
    case AttributeName::Where: return "a list of size expressions";
    case AttributeName::Axis:
    case AttributeName::Param: return "an integer";
    case AttributeName::Axes:
    case AttributeName::Step: return "a list of integers";
    case AttributeName::Precision: return "a precision";
    case AttributeName::Reducer: return "a reducer";
    case AttributeName::Host:
    case AttributeName::Exclusive:
    case AttributeName::Reverse: return "true or false";
  }
  return "";
}

}  // namespace sinter::ir
