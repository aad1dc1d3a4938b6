// Rebuilding a Graph node by node: what passes over Graphs are made of.
#pragma once

#include <functional>
#include <map>

#include "ir/graph.h"

namespace sinter::ir {

/// A new Graph under construction from an old one. Parameters are copied at once, with their names,
/// types and locations; every other value of the old graph that is needed gets a value of the new.
class GraphRewriter {
 public:
  /// Parameters get the types that `parameter_type` gives, where there is one.
  explicit GraphRewriter(const Graph& source,
                         const std::function<Type(const Type&)>& parameter_type = {});

  const Graph& source() const { return source_; }
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }

  /// The new value that stands for `old`; InternalError where there is none yet.
  Value mapped(Value old) const;
  std::vector<Value> mapped(const std::vector<Value>& old) const;
  void map(Value old, Value replacement) { map_[old] = replacement; }
  /// Appends a copy of the old node with mapped operands, and maps its results.
  void copy(NodeId old);
  /// The same with other attributes.
  void copy(NodeId old, Attributes attributes);

  /// Sets the mapped outputs and hands the new graph over.
  Graph finish();

 private:
  const Graph& source_;
  Graph graph_;
  std::map<Value, Value> map_;
};

/// The same attributes with every Function replaced by `rewrite(function)`.
Attributes rewrite_functions(const Attributes& attributes,
                             const std::function<Graph(const Graph&)>& rewrite);

/// For each node of the graph, whether the outputs need it (parameters: always).
std::vector<bool> live_nodes(const Graph& graph);

}  // namespace sinter::ir
