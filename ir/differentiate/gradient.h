// Gradients of Graphs: reverse sweeps that append nodes.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

/// Appends the gradients of sum(results[i] * cotangents[i]) with respect to `wrt` and returns them, each
/// with the shape and dtype of its value. Results are floating and cotangents have their types; nothing is
/// added for what `wrt` does not need. UserError at the user's expression where an operator on the way
/// has no derivative; at `location` where a value is not floating.
std::vector<Value> add_gradients(Graph& graph, const std::vector<Value>& results,
                                 const std::vector<Value>& cotangents,
                                 const std::vector<Value>& wrt, const SourceLocation& location);

struct GradientRequest {
  /// Names of parameters; none: all floating ones that are no host scalars.
  std::vector<std::string> wrt;
  /// The graph's own results come first.
  bool with_results = false;
};

/// The graph's gradient as a graph of its own, "<name>_gradient". Its parameters are those of the graph,
/// then one cotangent for each floating result i, "grad_<i>" (with a further "grad_" before it where that
/// is taken), with the result's type. A single floating result of rank 0 has the cotangent 1 and no such
/// parameter. UserError at `location` where there is nothing to differentiate, or a name of `wrt` is no
/// floating parameter.
Graph make_gradient(const Graph& graph, const GradientRequest& request,
                    const SourceLocation& location);

}  // namespace sinter::ir
