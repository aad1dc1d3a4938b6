// Rebuilding of Graphs.
#include "ir/rewrite_graph.h"

#include "support/check.h"

namespace sinter::ir {

GraphRewriter::GraphRewriter(const Graph& source,
                             const std::function<Type(const Type&)>& parameter_type)
    : source_(source), graph_(source.name()) {
  for (const NodeId id : source.parameters()) {
    const Node& node = source.node(id);
    const Type type = parameter_type ? parameter_type(node.results[0]) : node.results[0];
    const std::string& name = source.parameter_name(id);
    map({id, 0}, source.is_host_scalar(id) ? graph_.add_host_scalar(name, type.dtype, node.location)
                                           : graph_.add_parameter(name, type, node.location));
  }
}

Value GraphRewriter::mapped(Value old) const {
  const auto found = map_.find(old);
  support::check(found != map_.end(), "value %{}.{} of {} is used before it is rewritten", old.node,
                 old.result, source_.name());
  return found->second;
}

std::vector<Value> GraphRewriter::mapped(const std::vector<Value>& old) const {
  std::vector<Value> result;
  for (const Value value : old) result.push_back(mapped(value));
  return result;
}

void GraphRewriter::copy(NodeId old) { copy(old, source_.node(old).attributes); }

void GraphRewriter::copy(NodeId old, Attributes attributes) {
  const Node& node = source_.node(old);
  if (node.op == Op::Parameter) return;
  const Value first =
      graph_.add(node.op, mapped(node.operands), std::move(attributes), node.location);
  for (std::uint32_t r = 0; r < node.results.size(); ++r) map({old, r}, {first.node, r});
}

Graph GraphRewriter::finish() {
  graph_.set_outputs(mapped(source_.outputs()));
  return std::move(graph_);
}

Attributes rewrite_functions(const Attributes& attributes,
                             const std::function<Graph(const Graph&)>& rewrite) {
  Attributes result = attributes;
  const AttributeValue* value = attributes.find(AttributeName::Reducer);
  if (value == nullptr) return result;
  Reducer reducer = std::get<Reducer>(*value);
  if (!reducer.function) return result;
  reducer.function = std::make_shared<const Graph>(rewrite(*reducer.function));
  result.set(AttributeName::Reducer, std::move(reducer));
  return result;
}

std::vector<bool> live_nodes(const Graph& graph) {
  std::vector<bool> live(graph.nodes().size());
  for (const NodeId id : graph.parameters()) live[id] = true;
  for (const Value output : graph.outputs()) live[output.node] = true;
  for (std::size_t id = live.size(); id-- > 0;) {
    if (!live[id]) continue;
    for (const Value operand : graph.node(static_cast<NodeId>(id)).operands) {
      live[operand.node] = true;
    }
  }
  return live;
}

}  // namespace sinter::ir
