// Parses Kernels: the inverse of print_kernel.cpp. Values may have any names; they are numbered anew.
#include <fmt/format.h>

#include <map>

#include "ir/text.h"
#include "ir/text_attributes.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::Token;
using support::TokenStream;

class KernelParser {
 public:
  KernelParser(std::string_view text, const std::string& origin) : tokens_(text, origin) {
    symbols_.axis = [this](std::string_view name) { return find_axis(name); };
    symbols_.value = [this](const Token& token) { return find_value(token); };
    symbols_.param = [this](std::string_view name) { return find_param(name); };
  }

  Kernel run() {
    tokens_.expect("kernel");
    const std::string name = tokens_.expect_identifier("the kernel's name");
    tokens_.expect("{");
    kernel_ = Kernel(name, parse_kernel_mode());
    while (!tokens_.is("}")) parse_line();
    tokens_.expect("}");
    tokens_.expect_end();
    return std::move(kernel_);
  }

 private:
  Mode parse_kernel_mode() {
    if (!tokens_.accept("mode")) return Mode::Default;
    const auto mode = parse_mode(tokens_.peek().text);
    if (!mode) tokens_.fail_needed("a mode (default, strict or fast)");
    tokens_.next();
    return *mode;
  }

  void parse_line() {
    if (tokens_.peek().kind == support::TokenKind::ValueName) return parse_node();
    if (tokens_.is("store")) return parse_store();
    if (tokens_.accept("axis")) return parse_axis();
    if (tokens_.accept("in")) return parse_param(ParamRole::In);
    if (tokens_.accept("host")) return parse_param(ParamRole::In, true);
    if (tokens_.accept("out")) return parse_param(ParamRole::Out);
    tokens_.fail_needed("axis, in, host, out, a value, store or '}'");
  }

  void parse_axis() {
    const std::string name = tokens_.expect_identifier("the axis's name");
    tokens_.expect(":");
    kernel_.add_axis(name, parse_index_expr(tokens_));
  }

  void parse_param(ParamRole role, bool is_host = false) {
    const std::string name = tokens_.expect_identifier("the parameter's name");
    tokens_.expect(":");
    Type type = parse_type(tokens_);
    kernel_.add_param({name, type.dtype, std::move(type.shape), role, is_host});
  }

  /// "%3.0: f32, %3.1: i64 (i, j) = op(%1, %2) {...}".
  void parse_node() {
    std::vector<Token> names;
    std::vector<DType> results;
    do {
      names.push_back(tokens_.expect_value_name("the name of a result"));
      tokens_.expect(":");
      results.push_back(parse_dtype(tokens_));
    } while (tokens_.accept(","));
    const std::vector<AxisId> domain = parse_domain();
    tokens_.expect("=");
    const Value first = parse_operation();
    verify_written(names[0], kernel_.node(first), results, domain);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (!values_.try_emplace(names[i].text, Value{first.node, i}).second) {
        tokens_.fail(names[i], fmt::format("{} is defined twice", names[i].text));
      }
    }
  }

  void parse_store() { parse_operation(); }

  /// "(i, j)", or nothing.
  std::vector<AxisId> parse_domain() {
    std::vector<AxisId> domain;
    if (!tokens_.accept("(") || tokens_.accept(")")) return domain;
    do {
      const auto axis = find_axis(tokens_.peek().text);
      if (!axis) tokens_.fail_needed("an axis of the kernel");
      domain.push_back(*axis);
      tokens_.next();
    } while (tokens_.accept(","));
    tokens_.expect(")");
    return domain;
  }

  Value parse_operation() {
    const Token at = tokens_.peek();
    const Op op = parse_op(tokens_);
    std::vector<Value> operands;
    tokens_.expect("(");
    if (!tokens_.is(")")) {
      do {
        operands.push_back(find_value(tokens_.expect_value_name("a value")));
      } while (tokens_.accept(","));
    }
    tokens_.expect(")");
    Attributes attributes = parse_attributes(tokens_, symbols_);
    try {
      return kernel_.add(op, std::move(operands), std::move(attributes),
                         tokens_.location_comment());
    } catch (const InternalError& error) {
      tokens_.fail(at, error.what());
    }
  }

  /// What was written must be what was inferred.
  void verify_written(const Token& name, const KernelNode& node, const std::vector<DType>& results,
                      const std::vector<AxisId>& domain) const {
    if (results != node.results) {
      tokens_.fail(name, fmt::format("{} is written with another type than its operands give: {}",
                                     name.text, print_type(node)));
    }
    if (domain != node.domain) {
      tokens_.fail(name, fmt::format("{} is written with another domain than its operands give: {}",
                                     name.text, print_type(node)));
    }
  }

  /// "f32 (i, j)": what a node has.
  std::string print_type(const KernelNode& node) const {
    std::string text;
    for (const DType dtype : node.results) {
      text += (text.empty() ? "" : ", ") + std::string(to_string(dtype));
    }
    std::string axes;
    for (const AxisId axis : node.domain) {
      axes += (axes.empty() ? "" : ", ") + kernel_.axes()[axis].name;
    }
    return text + " (" + axes + ")";
  }

  std::optional<AxisId> find_axis(std::string_view name) const {
    for (AxisId id = 0; id < kernel_.axes().size(); ++id) {
      if (kernel_.axes()[id].name == name) return id;
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> find_param(std::string_view name) const {
    for (std::size_t i = 0; i < kernel_.params().size(); ++i) {
      if (kernel_.params()[i].name == name) return static_cast<std::int64_t>(i);
    }
    return std::nullopt;
  }

  Value find_value(const Token& token) const {
    const auto found = values_.find(token.text);
    if (found == values_.end()) {
      tokens_.fail(token, fmt::format("{} is not defined before its use", token.text));
    }
    return found->second;
  }

  TokenStream tokens_;
  AttributeSymbols symbols_;
  Kernel kernel_;
  std::map<std::string, Value> values_;
};

}  // namespace

Kernel parse_kernel(std::string_view text, const std::string& origin) {
  return KernelParser(text, origin).run();
}

}  // namespace sinter::ir
