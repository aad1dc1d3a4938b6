#include "codegen/plan/cone.h"

#include <algorithm>

namespace sinter::codegen {

Cone cone_of(const ir::Graph& graph, const std::vector<ir::Value>& roots,
             const std::function<bool(ir::Value)>& is_stored) {
  Cone cone;
  std::vector<ir::Value> open = roots;
  while (!open.empty()) {
    const ir::Value value = open.back();
    open.pop_back();
    const bool is_root = std::find(roots.begin(), roots.end(), value) != roots.end();
    if (graph.node(value).op == ir::Op::Parameter || (!is_root && is_stored(value))) {
      cone.inputs.insert(value);
      continue;
    }
    if (!cone.nodes.insert(value.node).second) continue;
    const std::vector<ir::Value>& operands = graph.node(value).operands;
    open.insert(open.end(), operands.begin(), operands.end());
  }
  return cone;
}

}  // namespace sinter::codegen
