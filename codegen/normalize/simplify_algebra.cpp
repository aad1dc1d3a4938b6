// Applies the rules of scalar_rules.cpp and view_rules.cpp to each node as it is added.
#include "codegen/normalize/simplify_algebra.h"

#include "codegen/normalize/algebra_rules.h"
#include "ir/rewrite_graph.h"

namespace sinter::codegen {

namespace {

ir::Value add_simplified(ir::Graph& graph, const Expression& expression) {
  const RuleContext context(graph, [&](const Expression& e) { return add_simplified(graph, e); });
  for (const std::span<const AlgebraRule> rules : {scalar_rules(), view_rules()}) {
    for (const AlgebraRule& rule : rules) {
      if (const auto value = rule.apply(context, expression)) return *value;
    }
  }
  return graph.add(expression.op, expression.operands, expression.attributes, expression.location);
}

}  // namespace

const ir::Node* RuleContext::made_by(ir::Op op, ir::Value value) const {
  const ir::Node& node = graph_.node(value);
  return node.op == op ? &node : nullptr;
}

bool RuleContext::is_splat(ir::Value value, const ir::Literal& literal) const {
  const auto known = splat(value);
  return known && *known == literal;
}

ir::Graph simplify_algebra(const ir::Graph& graph, const NormalizeOptions& options) {
  ir::GraphRewriter rewriter(graph);
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    if (!ir::is_pointwise(node.op) && !ir::is_view(node.op)) {
      rewriter.copy(id, ir::rewrite_functions(node.attributes, [&](const ir::Graph& f) {
                      return simplify_algebra(f, options);
                    }));
      continue;
    }
    const Expression expression{node.op, rewriter.mapped(node.operands), node.attributes,
                                node.location};
    rewriter.map({id, 0}, add_simplified(rewriter.graph(), expression));
  }
  return rewriter.finish();
}

}  // namespace sinter::codegen
