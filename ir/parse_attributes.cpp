// Parses attributes and the leaves that Graph and Kernel texts share.
#include <fmt/format.h>

#include "ir/text_attributes.h"
#include "support/check.h"
#include "support/nearest.h"

namespace sinter::ir {

namespace {

using support::Token;
using support::TokenKind;
using support::TokenStream;

bool parse_bool(TokenStream& tokens) {
  if (tokens.accept("true")) return true;
  if (!tokens.accept("false")) tokens.fail_needed("true or false");
  return false;
}

std::string parse_quoted(TokenStream& tokens) {
  if (tokens.peek().kind != TokenKind::String) tokens.fail_needed("a text in quotes");
  return tokens.next().text;
}

Precision parse_precision_word(TokenStream& tokens) {
  const auto precision = parse_precision(tokens.peek().text);
  if (!precision) tokens.fail_needed("a precision (split, ieee, split_fast or tf32)");
  tokens.next();
  return *precision;
}

std::int64_t parse_axis(TokenStream& tokens, const AttributeSymbols& symbols) {
  if (!symbols.axis) return tokens.expect_integer("the number of a dimension");
  const std::optional<AxisId> axis = symbols.axis(tokens.peek().text);
  if (!axis) tokens.fail_needed("an axis of the kernel");
  tokens.next();
  return static_cast<std::int64_t>(*axis);
}

std::int64_t parse_param(TokenStream& tokens, const AttributeSymbols& symbols) {
  if (!symbols.param) return tokens.expect_integer("the number of a parameter");
  const std::optional<std::int64_t> param = symbols.param(tokens.peek().text);
  if (!param) tokens.fail_needed("a parameter of the kernel");
  tokens.next();
  return *param;
}

/// "[" item { "," item } "]", or "[]".
template <typename ParseItem>
auto parse_list(TokenStream& tokens, const ParseItem& parse_item) {
  std::vector<decltype(parse_item())> items;
  tokens.expect("[");
  if (tokens.accept("]")) return items;
  do {
    items.push_back(parse_item());
  } while (tokens.accept(","));
  tokens.expect("]");
  return items;
}

Reducer parse_reducer(TokenStream& tokens) {
  Reducer reducer;
  if (!tokens.is("fn")) {
    reducer.op = parse_op(tokens);
    return reducer;
  }
  const TokenStream::Nesting nesting(tokens);
  reducer.function = parse_function(tokens);
  tokens.expect("from");
  reducer.identity = parse_list(tokens, [&] { return parse_typed_literal(tokens); });
  return reducer;
}

/// The value that an attribute of this name has: the table in attributes.h.
AttributeValue parse_value(AttributeName name, TokenStream& tokens,
                           const AttributeSymbols& symbols) {
  switch (name) {
    case AttributeName::Name: return parse_quoted(tokens);
    case AttributeName::Value:
    case AttributeName::Outside: return parse_typed_literal(tokens);
    case AttributeName::DType: return parse_dtype(tokens);
    case AttributeName::Shape:
    case AttributeName::Begin:
    case AttributeName::Map:
    case AttributeName::Where: return parse_shape(tokens, symbols);
    case AttributeName::Axis: return parse_axis(tokens, symbols);
    case AttributeName::Axes:
      return parse_list(tokens, [&] { return parse_axis(tokens, symbols); });
    case AttributeName::Step:
      return parse_list(tokens, [&] { return tokens.expect_integer("a step"); });
    case AttributeName::Precision: return parse_precision_word(tokens);
    case AttributeName::Reducer: return parse_reducer(tokens);
    case AttributeName::Host:
    case AttributeName::Exclusive:
    case AttributeName::Reverse: return parse_bool(tokens);
    case AttributeName::Param: return parse_param(tokens, symbols);
  }
  support::throw_internal("attribute {} has no parser", static_cast<int>(name));
}

}  // namespace

Attributes parse_attributes(TokenStream& tokens, const AttributeSymbols& symbols) {
  Attributes attributes;
  if (!tokens.accept("{")) return attributes;
  do {
    const auto name = parse_attribute_name(tokens.peek().text);
    if (!name) tokens.fail_needed("the name of an attribute");
    const Token at = tokens.next();
    if (attributes.find(*name)) {
      tokens.fail(at, fmt::format("attribute {} is given twice", at.text));
    }
    tokens.expect(":");
    attributes.set(*name, parse_value(*name, tokens, symbols));
  } while (tokens.accept(","));
  tokens.expect("}");
  return attributes;
}

Type parse_type(TokenStream& tokens) {
  Type type;
  type.dtype = parse_dtype(tokens);
  if (tokens.is("[")) type.shape = parse_shape(tokens);
  return type;
}

DType parse_dtype(TokenStream& tokens) {
  const auto dtype = parse_dtype(tokens.peek().text);
  if (!dtype) tokens.fail_needed("an element type (bool, i32, f32, bf16, ...)");
  tokens.next();
  return *dtype;
}

Op parse_op(TokenStream& tokens) {
  const auto op = parse_op(tokens.peek().text);
  if (op) {
    tokens.next();
    return *op;
  }
  std::vector<std::string> known;
  for (const OpInfo& row : all_ops()) known.emplace_back(row.text);
  tokens.fail_needed("an operator", support::did_you_mean(tokens.peek().text, known));
}

Literal parse_typed_literal(TokenStream& tokens) {
  const Token first = tokens.peek();
  std::string text = tokens.accept("-") ? "-" : "";
  const bool is_word = tokens.peek().kind == TokenKind::Identifier;
  if (!is_word && tokens.peek().kind != TokenKind::Number) {
    tokens.fail_needed("a number, inf, nan, true or false");
  }
  text += tokens.next().text;
  if (is_word && tokens.accept("(")) {  // nan(0x7fc00001)
    text += "(" + tokens.next().text + ")";
    tokens.expect(")");
  }
  tokens.expect(":");
  const DType dtype = parse_dtype(tokens);
  const auto literal = parse_literal(dtype, text);
  if (!literal) tokens.fail(first, fmt::format("{} is no value of {}", text, to_string(dtype)));
  return *literal;
}

}  // namespace sinter::ir
