// Parses attributes and the leaves that Graph and Kernel texts share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/attribute_rules.h"
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

/// A number, inf or -inf, without a type.
double parse_real(TokenStream& tokens) {
  std::string text = tokens.accept("-") ? "-" : "";
  const std::optional<Literal> literal =
      parse_literal(sinter::DType::F64, text + tokens.peek().text);
  if (!literal || std::isnan(as_double(*literal))) tokens.fail_needed("a number or inf");
  tokens.next();
  return as_double(*literal);
}

std::int64_t parse_integer(AttributeName name, TokenStream& tokens,
                           const AttributeSymbols& symbols) {
  if (name == AttributeName::Axis) return parse_axis(tokens, symbols);
  if (name == AttributeName::Param) return parse_param(tokens, symbols);
  return tokens.expect_integer("an integer");
}

std::vector<std::int64_t> parse_integers(AttributeName name, TokenStream& tokens,
                                         const AttributeSymbols& symbols) {
  return parse_list(tokens, [&] {
    return name == AttributeName::Axes ? parse_axis(tokens, symbols)
                                       : tokens.expect_integer("an integer");
  });
}

AttributeValue parse_value(AttributeName name, TokenStream& tokens,
                           const AttributeSymbols& symbols) {
  switch (kind_of(name)) {
    case AttributeKind::Bool: return parse_bool(tokens);
    case AttributeKind::Integer: return parse_integer(name, tokens, symbols);
    case AttributeKind::Integers: return parse_integers(name, tokens, symbols);
    case AttributeKind::Real: return parse_real(tokens);
    case AttributeKind::Text: return parse_quoted(tokens);
    case AttributeKind::DType: return parse_dtype(tokens);
    case AttributeKind::Precision: return parse_precision_word(tokens);
    case AttributeKind::Literal: return parse_typed_literal(tokens);
    case AttributeKind::Shape: return parse_shape(tokens, symbols);
    case AttributeKind::Reducer: return parse_reducer(tokens);
  }
  support::throw_internal("attribute {} has no parser", to_string(name));
}

bool has_attribute(Op op, AttributeName name) {
  const std::vector<AttributeRule> rules = graph_attributes(op);
  return std::any_of(rules.begin(), rules.end(),
                     [&](const AttributeRule& rule) { return rule.name == name; });
}

}  // namespace

Attributes parse_attributes(TokenStream& tokens, const AttributeSymbols& symbols, Op op) {
  Attributes attributes;
  // An operator of kernels is refused as a whole.
  const bool is_known = op != Op::None && info(op).level != OpLevel::Kernel;
  if (!tokens.accept("{")) return attributes;
  do {
    const auto name = parse_attribute_name(tokens.peek().text);
    if (is_known && (!name || !has_attribute(op, *name))) {
      tokens.fail_needed(fmt::format("an attribute of {}", to_string(op)),
                         fmt::format("; its attributes: {}", attributes_text(op)));
    }
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
