#include "codegen/normalize/remove_dead_nodes.h"

#include "ir/rewrite_graph.h"

namespace sinter::codegen {

ir::Graph remove_dead_nodes(const ir::Graph& graph, const NormalizeOptions& options) {
  const std::vector<bool> live = ir::live_nodes(graph);
  ir::GraphRewriter rewriter(graph);
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (!live[id]) continue;
    rewriter.copy(id, ir::rewrite_functions(graph.node(id).attributes, [&](const ir::Graph& f) {
                    return remove_dead_nodes(f, options);
                  }));
  }
  return rewriter.finish();
}

}  // namespace sinter::codegen
