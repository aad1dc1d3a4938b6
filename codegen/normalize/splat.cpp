#include "codegen/normalize/splat.h"

namespace sinter::codegen {

using ir::AttributeName;

std::optional<ir::Literal> splat_of(const ir::Graph& graph, ir::Value value) {
  const ir::Node* node = &graph.node(value);
  while (node->op == ir::Op::Broadcast) node = &graph.node(node->operands.at(0));
  if (node->op != ir::Op::Constant) return std::nullopt;
  return node->attributes.get<ir::Literal>(AttributeName::Value);
}

ir::Value add_splat(ir::Graph& graph, const ir::Literal& literal, const ir::Shape& shape,
                    const SourceLocation& location) {
  const ir::Value constant = graph.add_constant(literal, location);
  if (shape.empty()) return constant;
  return graph.add(ir::Op::Broadcast, {constant}, {{AttributeName::Shape, shape}}, location);
}

}  // namespace sinter::codegen
