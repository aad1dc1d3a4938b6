// Parses Graphs and Functions: the inverse of print_graph.cpp. Values may have any names; they are
// numbered anew.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "ir/text.h"
#include "ir/text_attributes.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::Token;
using support::TokenStream;

/// One result as written: "%3.1: i64[m]".
struct Declaration {
  Token name;
  Type type;
};

std::string print_types(const std::vector<Type>& types) {
  std::vector<std::string> texts;
  for (const Type& type : types) texts.push_back(to_string(type));
  return fmt::format("{}", fmt::join(texts, ", "));
}

class GraphParser {
 public:
  explicit GraphParser(TokenStream& tokens) : tokens_(tokens) {}

  /// From the parameters' `(` to the closing `}`.
  Graph run(const std::string& name) {
    graph_.set_name(name);
    tokens_.expect("(");
    if (!tokens_.accept(")")) {
      do {
        parse_parameter();
      } while (tokens_.accept(","));
      tokens_.expect(")");
    }
    tokens_.expect("{");
    while (!tokens_.is("return")) parse_node();
    parse_return();
    tokens_.expect("}");
    return std::move(graph_);
  }

 private:
  Declaration parse_declaration() {
    Declaration declaration;
    declaration.name = tokens_.expect_value_name("a value (%name) or return");
    tokens_.expect(":");
    declaration.type = parse_type(tokens_);
    return declaration;
  }

  void parse_parameter() {
    const Declaration declaration = parse_declaration();
    const bool is_host = parse_is_host(declaration.type);
    const std::string name = declaration.name.text.substr(1);
    try {
      define(declaration.name, is_host ? graph_.add_host_scalar(name, declaration.type.dtype)
                                       : graph_.add_parameter(name, declaration.type));
    } catch (const UserError& error) {
      tokens_.fail(declaration.name, error.what());
    }
  }

  /// "{host: true}", or nothing.
  bool parse_is_host(const Type& type) {
    const Token at = tokens_.peek();
    const Attributes attributes = parse_attributes(tokens_);
    if (attributes.list().empty()) return false;
    const AttributeValue* host = attributes.find(AttributeName::Host);
    if (attributes.list().size() > 1 || host == nullptr || *host != AttributeValue(true)) {
      tokens_.fail(at, "a parameter has no attribute but {host: true}");
    }
    if (!type.shape.empty()) {
      tokens_.fail(at, fmt::format("a host scalar has rank 0; given {}", to_string(type)));
    }
    return true;
  }

  void parse_node() {
    std::vector<Declaration> declarations;
    do {
      declarations.push_back(parse_declaration());
    } while (tokens_.accept(","));
    tokens_.expect("=");
    const Value value = parse_operation();
    check_types(declarations, graph_.node(value).results);
    for (std::uint32_t i = 0; i < declarations.size(); ++i) {
      check_result_name(declarations, i);
      define(declarations[i].name, {value.node, i});
    }
  }

  Value parse_operation() {
    const Token at = tokens_.peek();
    const Op op = parse_op(tokens_);
    tokens_.expect("(");
    std::vector<Value> operands;
    if (!tokens_.is(")")) operands = parse_values();
    tokens_.expect(")");
    if (op == Op::Parameter) tokens_.fail(at, "parameters stand in the graph's first line");
    Attributes attributes = parse_attributes(tokens_, {}, op);
    try {
      return graph_.add(op, std::move(operands), std::move(attributes), tokens_.location_comment());
    } catch (const UserError& error) {
      tokens_.fail(at, error.what());
    }
  }

  void parse_return() {
    tokens_.expect("return");
    graph_.set_outputs(parse_values());
  }

  std::vector<Value> parse_values() {
    std::vector<Value> values;
    do {
      values.push_back(find_value(tokens_.expect_value_name("a value")));
    } while (tokens_.accept(","));
    return values;
  }

  /// What was written must be what was inferred.
  void check_types(const std::vector<Declaration>& declarations,
                   const std::vector<Type>& inferred) const {
    std::vector<Type> written;
    for (const Declaration& declaration : declarations) written.push_back(declaration.type);
    if (written == inferred) return;
    tokens_.fail(declarations[0].name, fmt::format("{} is written as {}, but its operands give {}",
                                                   declarations[0].name.text, print_types(written),
                                                   print_types(inferred)));
  }

  /// Several results are %3.0, %3.1, ...; a single one has no point.
  void check_result_name(const std::vector<Declaration>& declarations, std::uint32_t i) const {
    const Token& name = declarations[i].name;
    const std::string node =
        declarations[0].name.text.substr(0, declarations[0].name.text.find('.'));
    const bool is_single = declarations.size() == 1;
    const std::string needed = is_single ? node : fmt::format("{}.{}", node, i);
    if (name.text == needed) return;
    tokens_.fail(name, fmt::format("{} names result {} of {}, {} is needed", name.text, i,
                                   declarations.size(), needed));
  }

  void define(const Token& name, Value value) {
    if (values_.emplace(name.text, value).second) return;
    tokens_.fail(name, fmt::format("{} is defined twice", name.text));
  }

  Value find_value(const Token& token) const {
    const auto found = values_.find(token.text);
    if (found != values_.end()) return found->second;
    tokens_.fail(token, fmt::format("{} is not defined before its use", token.text));
  }

  TokenStream& tokens_;
  Graph graph_;
  std::map<std::string, Value> values_;
};

}  // namespace

Graph parse_graph(std::string_view text, const std::string& origin) {
  TokenStream tokens(text, origin);
  tokens.expect("graph");
  const std::string name = tokens.expect_identifier("the graph's name");
  Graph graph = GraphParser(tokens).run(name);
  tokens.expect_end();
  return graph;
}

std::shared_ptr<const Graph> parse_function(TokenStream& tokens) {
  tokens.expect("fn");
  const bool has_name = !tokens.is("(");
  const std::string name = has_name ? tokens.expect_identifier("the function's name") : "fn";
  return std::make_shared<const Graph>(GraphParser(tokens).run(name));
}

}  // namespace sinter::ir
