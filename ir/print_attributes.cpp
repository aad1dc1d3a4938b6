// Prints attributes and the leaves that Graph and Kernel texts share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/text_attributes.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

std::string print_integer(AttributeName name, std::int64_t value, const AttributeNames& names) {
  if (name == AttributeName::Axis && names.axis) return names.axis(value);
  if (name == AttributeName::Param && names.param) return names.param(value);
  return fmt::format("{}", value);
}

std::string print_integers(AttributeName name, const std::vector<std::int64_t>& values,
                           const AttributeNames& names) {
  std::vector<std::string> texts;
  for (const std::int64_t value : values) {
    const bool is_axis = name == AttributeName::Axes && names.axis;
    texts.push_back(is_axis ? names.axis(value) : fmt::format("{}", value));
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string print_reducer(const Reducer& reducer) {
  if (!reducer.function) return std::string(to_string(reducer.op));
  std::vector<std::string> identity;
  for (const Literal& literal : reducer.identity) identity.push_back(to_typed_string(literal));
  return fmt::format("{} from [{}]", print_function(*reducer.function), fmt::join(identity, ", "));
}

/// Prints whichever type the attribute holds.
struct ValuePrinter {
  AttributeName name;
  const AttributeNames& names;

  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return print_integer(name, value, names); }
  std::string operator()(const std::string& value) const { return support::quote(value); }
  std::string operator()(double value) const {
    return to_string(make_literal(sinter::DType::F64, value));
  }
  std::string operator()(DType value) const { return std::string(to_string(value)); }
  std::string operator()(Precision value) const { return std::string(to_string(value)); }
  std::string operator()(const Literal& value) const { return to_typed_string(value); }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return print_integers(name, values, names);
  }
  std::string operator()(const Shape& value) const { return to_string(value, names.index); }
  std::string operator()(const Reducer& value) const { return print_reducer(value); }
};

}  // namespace

std::string to_string(const Attributes& attributes, const AttributeNames& names) {
  if (attributes.list().empty()) return "";
  std::vector<std::string> texts;
  for (const Attribute& attribute : attributes.list()) {
    texts.push_back(fmt::format("{}: {}", to_string(attribute.name),
                                std::visit(ValuePrinter{attribute.name, names}, attribute.value)));
  }
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string to_typed_string(const Literal& literal) {
  return fmt::format("{}: {}", to_string(literal), to_string(literal.dtype));
}

std::string to_string(const Shape& shape, const IndexNames& names) {
  std::vector<std::string> texts;
  for (const IndexExpr& dimension : shape) texts.push_back(to_string(dimension, names));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace sinter::ir
