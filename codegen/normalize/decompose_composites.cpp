// One function a composite.
#include "codegen/normalize/decompose_composites.h"

#include "ir/rewrite_graph.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::Op;
using ir::Value;

/// sum(x) / count, where the count may depend on sizes. Empty: 0 / 0, which is NaN.
Value decompose_mean(ir::GraphRewriter& rewriter, const ir::Node& node) {
  ir::Graph& graph = rewriter.graph();
  const Value x = rewriter.mapped(node.operands.at(0));
  const auto& axes = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  ir::Dim count = 1;
  for (const std::int64_t axis : axes) {
    count = count * graph.type(x).shape.at(static_cast<std::size_t>(axis));
  }
  const Value sum = graph.add(Op::Sum, {x}, node.attributes, node.location);
  const ir::Type type = graph.type(sum);
  Value divisor =
      graph.add(Op::Size, {}, {{AttributeName::Shape, ir::Shape{count}}}, node.location);
  divisor = graph.add(Op::Cast, {divisor}, {{AttributeName::DType, type.dtype}}, node.location);
  if (!type.shape.empty()) {
    divisor =
        graph.add(Op::Broadcast, {divisor}, {{AttributeName::Shape, type.shape}}, node.location);
  }
  return graph.add(Op::Div, {sum, divisor}, {}, node.location);
}

}  // namespace

ir::Graph decompose_composites(const ir::Graph& graph, const NormalizeOptions&) {
  ir::GraphRewriter rewriter(graph);
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    if (ir::info(node.op).op_class != ir::OpClass::Composite) {
      rewriter.copy(id);
      continue;
    }
    support::check(node.op == Op::Mean, "{} has no decomposition", ir::to_string(node.op));
    rewriter.map({id, 0}, decompose_mean(rewriter, node));
  }
  return rewriter.finish();
}

}  // namespace sinter::codegen
