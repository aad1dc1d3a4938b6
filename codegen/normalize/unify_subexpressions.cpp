#include "codegen/normalize/unify_subexpressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/rewrite_graph.h"
#include "ir/text_attributes.h"

namespace sinter::codegen {

namespace {

/// Equal for nodes that compute the same, and only for those.
std::string key_of(ir::Op op, std::vector<ir::Value> operands, const ir::Attributes& attributes) {
  if (ir::info(op).commutes) std::sort(operands.begin(), operands.end());
  std::string key(ir::to_string(op));
  for (const ir::Value operand : operands) {
    key += fmt::format(" %{}.{}", operand.node, operand.result);
  }
  return key + ir::to_string(attributes);
}

}  // namespace

ir::Graph unify_subexpressions(const ir::Graph& graph, const NormalizeOptions& options) {
  ir::GraphRewriter rewriter(graph);
  std::map<std::string, ir::NodeId> known;  // to the old node that is kept
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    if (node.op == ir::Op::Parameter) continue;
    const ir::Attributes attributes = ir::rewrite_functions(
        node.attributes, [&](const ir::Graph& f) { return unify_subexpressions(f, options); });
    const std::string key = key_of(node.op, rewriter.mapped(node.operands), attributes);
    const auto [kept, is_new] = known.emplace(key, id);
    if (is_new) {
      rewriter.copy(id, attributes);
      continue;
    }
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      rewriter.map({id, r}, rewriter.mapped(ir::Value{kept->second, r}));
    }
  }
  return rewriter.finish();
}

}  // namespace sinter::codegen
