// Parses examples into graphs with their inputs, and prints results.
#include "tests/support/operator_example.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "ir/literal.h"
#include "ir/text_attributes.h"

namespace sinter::tests {

namespace {

using Extents = std::vector<std::int64_t>;
using support::TokenKind;
using support::TokenStream;

/// A literal as written, before its dtype is known.
struct Written {
  std::vector<std::string> elements;
  Extents extents;
};

class ExampleParser {
 public:
  ExampleParser(std::string_view text, const ir::Attributes& more)
      : tokens_(text, "example"), more_(more), example_{ir::Graph("example"), {}} {}

  OperatorExample run() {
    const ir::Value outermost = parse_expression(true);
    tokens_.expect_end();
    std::vector<ir::Value> outputs;
    const auto count = static_cast<std::uint32_t>(example_.graph.node(outermost).results.size());
    for (std::uint32_t i = 0; i < count; ++i) outputs.push_back({outermost.node, i});
    example_.graph.set_outputs(outputs);
    return std::move(example_);
  }

 private:
  ir::Value parse_expression(bool is_outermost) {
    const bool is_call = tokens_.peek().kind == TokenKind::Identifier && tokens_.is("(", 1);
    return is_call ? parse_call(is_outermost) : parse_literal();
  }

  ir::Value parse_call(bool is_outermost) {
    const TokenStream::Nesting nesting(tokens_);
    const support::Token at = tokens_.peek();
    const ir::Op op = ir::parse_op(tokens_);
    std::vector<ir::Value> operands;
    tokens_.expect("(");
    if (!tokens_.is(")")) {
      do {
        operands.push_back(parse_expression(false));
      } while (tokens_.accept(","));
    }
    tokens_.expect(")");
    ir::Attributes attributes = ir::parse_attributes(tokens_);
    if (is_outermost) {
      for (const ir::Attribute& attribute : more_.list()) {
        if (!attributes.find(attribute.name)) attributes.set(attribute.name, attribute.value);
      }
    }
    try {
      return example_.graph.add(op, std::move(operands), std::move(attributes));
    } catch (const UserError& error) {
      tokens_.fail(at, error.what());
    }
  }

  ir::Value parse_literal() {
    const support::Token at = tokens_.peek();
    Written written;
    parse_elements(written, 0);
    const bool is_bool = !written.elements.empty() &&
                         (written.elements[0] == "true" || written.elements[0] == "false");
    DType dtype = is_bool ? DType::Bool : DType::F32;
    if (tokens_.accept(":")) dtype = ir::parse_dtype(tokens_);
    RandomInput input;
    input.storage.resize(written.elements.size() * size_bytes(dtype) + 1);
    for (std::size_t i = 0; i < written.elements.size(); ++i) {
      const auto literal = ir::parse_literal(dtype, written.elements[i]);
      if (!literal) {
        tokens_.fail(at, fmt::format("'{}' is no {}", written.elements[i], to_string(dtype)));
      }
      std::memcpy(input.storage.data() + i * size_bytes(dtype), &literal->bits, size_bytes(dtype));
    }
    input.tensor = {dtype, written.extents, {}, input.storage.data()};
    const ir::Type type{dtype, ir::Shape(written.extents.begin(), written.extents.end())};
    const std::string name = fmt::format("x{}", example_.inputs.size());
    example_.inputs.push_back(std::move(input));
    return example_.graph.add_parameter(name, type);
  }

  /// Elements of all lists at one depth are as many.
  void parse_elements(Written& written, std::size_t depth) {
    if (!tokens_.accept("[")) {
      if (depth != written.extents.size()) tokens_.fail_needed("'[', as before,");
      std::string text = tokens_.accept("-") ? "-" : "";
      written.elements.push_back(text + tokens_.next().text);
      return;
    }
    const TokenStream::Nesting nesting(tokens_);
    const bool is_first = written.elements.empty() && written.extents.size() == depth;
    if (is_first) written.extents.push_back(-1);
    std::int64_t count = 0;
    while (!tokens_.is("]")) {
      if (count++ > 0) tokens_.expect(",");
      parse_elements(written, depth + 1);
    }
    if (written.extents.at(depth) < 0) written.extents[depth] = count;
    if (written.extents[depth] != count) {
      tokens_.fail_needed(fmt::format("a list of {} elements, as before,", written.extents[depth]));
    }
    tokens_.expect("]");
  }

  TokenStream tokens_;
  const ir::Attributes& more_;
  OperatorExample example_;
};

std::string element_text(const ir::Literal& literal) {
  if (!ir::is_float(literal.dtype)) return ir::to_string(literal);
  const double value = ir::as_double(literal);
  return std::isnan(value) ? "nan" : fmt::format("{:.4g}", value);
}

/// Takes elements from `texts`, the first of which is number `next`.
std::string nested_text(const std::vector<std::string>& texts, const Extents& extents,
                        std::size_t depth, std::size_t& next) {
  if (depth == extents.size()) return texts.at(next++);
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < extents[depth]; ++i) {
    parts.push_back(nested_text(texts, extents, depth + 1, next));
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

OperatorExample parse_example(std::string_view text, const ir::Attributes& more) {
  return ExampleParser(text, more).run();
}

std::string to_text(const ir::Graph& graph, const DeviceOutputs& outputs) {
  std::vector<std::string> results;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const ir::Type& type = graph.type(graph.outputs()[o]);
    const std::size_t width = size_bytes(type.dtype);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < outputs[o].size(); at += width) {
      ir::Literal literal{type.dtype, 0};
      std::memcpy(&literal.bits, outputs[o].data() + at, width);
      texts.push_back(element_text(literal));
    }
    Extents extents;
    for (const ir::Dim& dim : type.shape) extents.push_back(dim.as_constant().value());
    std::size_t next = 0;
    results.push_back(
        fmt::format("{}: {}", nested_text(texts, extents, 0, next), to_string(type.dtype)));
  }
  return fmt::format("{}", fmt::join(results, "; "));
}

}  // namespace sinter::tests
