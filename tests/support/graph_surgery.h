// A graph rebuilt with parts taken out: what shrinking is made of.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "ir/graph.h"

namespace sinter::tests {

struct Surgery {
  /// Empty: those that there are.
  std::vector<ir::Value> outputs;
  /// Values that become inputs.
  std::set<ir::Value> inputs;
  /// Values in whose place others stand, earlier ones.
  std::map<ir::Value, ir::Value> forwarded;
  /// What becomes of each dimension of parameters and of attributes shape; none: it stays.
  std::function<ir::Dim(const ir::Dim&)> dimension;
};

/// Only what the outputs need, parameters too. UserError where the types no longer fit.
ir::Graph operate(const ir::Graph& graph, const Surgery& surgery);

}  // namespace sinter::tests
