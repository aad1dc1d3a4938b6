// Prints Graphs, and Functions on one line: the text form in graph.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/text.h"
#include "ir/text_attributes.h"
#include "support/text_writer.h"

namespace sinter::ir {

namespace {

/// Printed names of the values of one graph. Other nodes than parameters are numbered in order.
class ValueNames {
 public:
  explicit ValueNames(const Graph& graph) : graph_(graph) {
    NodeId next = 0;
    for (const Node& node : graph.nodes()) {
      numbers_.push_back(node.op == Op::Parameter ? 0 : next++);
    }
  }

  /// "%x", "%3", or "%3.1" for one of several results.
  std::string name(Value value) const {
    const Node& node = graph_.node(value);
    if (node.op == Op::Parameter) return "%" + graph_.parameter_name(value.node);
    if (node.results.size() == 1) return fmt::format("%{}", numbers_[value.node]);
    return fmt::format("%{}.{}", numbers_[value.node], value.result);
  }

  /// "%3: f32[m]".
  std::string declaration(Value value) const {
    return fmt::format("{}: {}", name(value), to_string(graph_.type(value)));
  }

  std::string list(const std::vector<Value>& values) const {
    std::vector<std::string> names;
    for (const Value value : values) names.push_back(name(value));
    return fmt::format("{}", fmt::join(names, ", "));
  }

 private:
  const Graph& graph_;
  std::vector<NodeId> numbers_;
};

/// "(%a: f32[n], %b: f32 {host: true})".
std::string print_parameters(const Graph& graph, const ValueNames& names) {
  std::vector<std::string> texts;
  for (const NodeId id : graph.parameters()) {
    const char* host = graph.is_host_scalar(id) ? " {host: true}" : "";
    texts.push_back(names.declaration({id, 0}) + host);
  }
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// "%2: f32[m] = add(%0, %1) {...}".
std::string print_node(const Graph& graph, NodeId id, const ValueNames& names) {
  const Node& node = graph.node(id);
  std::vector<std::string> results;
  for (std::uint32_t i = 0; i < node.results.size(); ++i) {
    results.push_back(names.declaration({id, i}));
  }
  const std::string attributes = to_string(node.attributes);
  return fmt::format("{} = {}({}){}{}", fmt::join(results, ", "), to_string(node.op),
                     names.list(node.operands), attributes.empty() ? "" : " ", attributes);
}

std::string print_location(const SourceLocation& location) {
  return location.line > 0 ? fmt::format("  // {}:{}", location.file, location.line) : "";
}

}  // namespace

std::string to_string(const Graph& graph, PrintOptions options) {
  const ValueNames names(graph);
  support::TextWriter writer;
  writer.line("graph {}{} {{", graph.name(), print_parameters(graph, names));
  writer.indent();
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const Node& node = graph.node(id);
    if (node.op == Op::Parameter) continue;
    writer.line("{}{}", print_node(graph, id, names),
                options.locations ? print_location(node.location) : "");
  }
  writer.line("return {}", names.list(graph.outputs()));
  writer.dedent();
  writer.line("}}");
  return writer.text();
}

std::string print_function(const Graph& function) {
  const ValueNames names(function);
  const std::string name = function.name() == "fn" ? "" : " " + function.name();
  std::string text = fmt::format("fn{}{} {{ ", name, print_parameters(function, names));
  for (NodeId id = 0; id < function.nodes().size(); ++id) {
    if (function.node(id).op == Op::Parameter) continue;
    text += print_node(function, id, names) + " ";
  }
  return text + fmt::format("return {} }}", names.list(function.outputs()));
}

}  // namespace sinter::ir
