// Cones: what a value is computed from, down to parameters and to values that are already stored.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "ir/graph.h"

namespace sinter::codegen {

/// Nodes of a cone, in order, and the parameters and stored values that it reads.
struct Cone {
  std::set<ir::NodeId> nodes;
  std::set<ir::Value> inputs;
};

/// `is_stored` answers for values below the roots; the roots themselves are always computed.
Cone cone_of(const ir::Graph& graph, const std::vector<ir::Value>& roots,
             const std::function<bool(ir::Value)>& is_stored);

}  // namespace sinter::codegen
