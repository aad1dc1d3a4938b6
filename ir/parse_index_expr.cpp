// Parses index expressions:
//
//   sum     = product { ("+" | "-") product }
//   product = factor { "*" factor }
//   factor  = "-" factor | number | name | %value | "(" sum ")" | "floor" "(" sum "/" sum ")"
//           | ("mod" | "min" | "max") "(" sum "," sum ")"
#include "ir/text.h"
#include "ir/text_attributes.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::TokenKind;
using support::TokenStream;

class IndexParser {
 public:
  IndexParser(TokenStream& tokens, const AttributeSymbols& symbols)
      : tokens_(tokens), symbols_(symbols) {}

  IndexExpr parse_sum() {
    IndexExpr sum = parse_product();
    while (tokens_.is("+") || tokens_.is("-")) {
      const bool is_minus = tokens_.next().text == "-";
      const IndexExpr product = parse_product();
      sum = is_minus ? sum - product : sum + product;
    }
    return sum;
  }

 private:
  IndexExpr parse_product() {
    IndexExpr product = parse_factor();
    while (tokens_.accept("*")) product = product * parse_factor();
    return product;
  }

  IndexExpr parse_factor() {
    const TokenStream::Nesting nesting(tokens_);
    const TokenKind after_sign = tokens_.peek(1).kind;
    if (tokens_.is("-") && after_sign != TokenKind::Number) {
      tokens_.next();
      return IndexExpr(0) - parse_factor();
    }
    if (tokens_.is("-") || tokens_.peek().kind == TokenKind::Number) {
      return tokens_.expect_integer("a whole number");
    }
    if (tokens_.peek().kind == TokenKind::ValueName && symbols_.value) {
      return IndexExpr::value(symbols_.value(tokens_.next()));
    }
    if (tokens_.accept("(")) {
      const IndexExpr inside = parse_sum();
      tokens_.expect(")");
      return inside;
    }
    if (tokens_.peek().kind != TokenKind::Identifier) tokens_.fail_needed("a size or a number");
    return tokens_.is("(", 1) ? parse_call() : parse_name();
  }

  IndexExpr parse_name() {
    const std::string name = tokens_.next().text;
    const std::optional<AxisId> axis = symbols_.axis ? symbols_.axis(name) : std::nullopt;
    return axis ? IndexExpr::axis(*axis) : IndexExpr::size(name);
  }

  IndexExpr parse_call() {
    const std::string name = tokens_.peek().text;
    const bool is_known = name == "floor" || name == "mod" || name == "min" || name == "max";
    if (!is_known) tokens_.fail_needed("floor, mod, min or max");
    tokens_.next();
    tokens_.expect("(");
    const IndexExpr a = parse_sum();
    tokens_.expect(name == "floor" ? "/" : ",");
    const IndexExpr b = parse_sum();
    tokens_.expect(")");
    if (name == "floor") return floor_div(a, b);
    if (name == "mod") return mod(a, b);
    return name == "min" ? min(a, b) : max(a, b);
  }

  TokenStream& tokens_;
  const AttributeSymbols& symbols_;
};

}  // namespace

IndexExpr parse_index_expr(TokenStream& tokens, const AttributeSymbols& symbols) {
  const support::Token first = tokens.peek();
  try {
    return IndexParser(tokens, symbols).parse_sum();
  } catch (const InternalError& error) {
    tokens.fail(first, error.what());
  }
}

Shape parse_shape(TokenStream& tokens, const AttributeSymbols& symbols) {
  Shape shape;
  tokens.expect("[");
  if (tokens.accept("]")) return shape;
  do {
    shape.push_back(parse_index_expr(tokens, symbols));
  } while (tokens.accept(","));
  tokens.expect("]");
  return shape;
}

Dim parse_dim(std::string_view text, const std::string& origin) {
  TokenStream tokens(text, origin);
  Dim dim = parse_index_expr(tokens);
  if (tokens.is("/")) tokens.fail_needed("floor(a / b) as the form of a division");
  tokens.expect_end();
  return dim;
}

}  // namespace sinter::ir
