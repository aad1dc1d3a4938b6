#include "codegen/normalize/fold_constants.h"

#include "codegen/expand/expand.h"
#include "codegen/normalize/splat.h"
#include "ir/rewrite_graph.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::Op;

/// The literal that every element of the node's result is, if it can be computed now.
std::optional<ir::Literal> fold(const ir::GraphRewriter& rewriter, const ir::Node& node) {
  if (node.op == Op::Size) {
    const auto number = node.attributes.get<ir::Shape>(AttributeName::Shape).at(0).as_constant();
    if (!number) return std::nullopt;
    return ir::make_integer_literal(DType::I64, *number);
  }
  const bool is_foldable_view = ir::is_view(node.op) && node.op != Op::Broadcast;
  if (!is_foldable_view && !ir::is_pointwise(node.op)) return std::nullopt;
  std::vector<ir::Literal> literals;
  for (const ir::Value operand : node.operands) {
    const auto literal = splat_of(rewriter.graph(), rewriter.mapped(operand));
    if (!literal) return std::nullopt;
    literals.push_back(*literal);
  }
  if (is_foldable_view) return literals.at(0);
  return evaluate_scalar(node.op, literals, node.attributes);
}

}  // namespace

ir::Graph fold_constants(const ir::Graph& graph, const NormalizeOptions& options) {
  ir::GraphRewriter rewriter(graph);
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    if (const auto literal = fold(rewriter, node)) {
      rewriter.map({id, 0},
                   add_splat(rewriter.graph(), *literal, node.results.at(0).shape, node.location));
      continue;
    }
    rewriter.copy(id, ir::rewrite_functions(node.attributes, [&](const ir::Graph& f) {
                    return fold_constants(f, options);
                  }));
  }
  return rewriter.finish();
}

}  // namespace sinter::codegen
