// Counting by node, from the operators' classes.
#include "runtime/profile/work.h"

#include "ir/define/composite.h"
#include "ir/equation.h"

namespace sinter::runtime {

namespace {

using Sizes = std::map<std::string, std::int64_t>;

double count_elements(const ir::Shape& shape, const Sizes& sizes) {
  double count = 1;
  for (const ir::Dim& dim : shape) {
    count *= static_cast<double>(ir::evaluate(dim, {sizes, {}, {}}));
  }
  return count;
}

double bytes_of(const ir::Type& type, const Sizes& sizes) {
  return count_elements(type.shape, sizes) * static_cast<double>(size_bytes(type.dtype));
}

/// What a product sums over.
ir::Shape contracted_dims(const ir::Graph& graph, const ir::Node& node) {
  const ir::Shape& a = graph.type(node.operands[0]).shape;
  if (node.op == ir::Op::Matmul) return {a.back()};
  const ir::Equation equation = ir::parse_equation(
      node.attributes.get<std::string>(ir::AttributeName::Equation), node.location);
  ir::Shape dims;
  for (const char label : equation.contracted()) {
    dims.push_back(a.at(equation.operands[0].find(label)));
  }
  return dims;
}

double flops_of(const ir::Graph& graph, const ir::Node& node, const Sizes& sizes) {
  switch (ir::info(node.op).op_class) {
    case ir::OpClass::Unary:
    case ir::OpClass::Binary:
    case ir::OpClass::Compare:
    case ir::OpClass::Ternary: return count_elements(node.results[0].shape, sizes);
    case ir::OpClass::Reduction:
    case ir::OpClass::Scan: return count_elements(graph.type(node.operands[0]).shape, sizes);
    case ir::OpClass::Contraction:
      return 2 * count_elements(node.results[0].shape, sizes) *
             count_elements(contracted_dims(graph, node), sizes);
    case ir::OpClass::Leaf:
    case ir::OpClass::Cast:
    case ir::OpClass::View:
    case ir::OpClass::Movement:
    case ir::OpClass::Composite:
    case ir::OpClass::Access: return 0;
  }
  return 0;
}

}  // namespace

Work count_work(const ir::Graph& operators, const Sizes& sizes) {
  const ir::Graph graph = ir::decompose(operators);
  Work work;
  for (const ir::Node& node : graph.nodes()) work.flops += flops_of(graph, node, sizes);
  for (const ir::NodeId id : graph.parameters()) {
    work.ideal_bytes += bytes_of(graph.type({id, 0}), sizes);
  }
  for (const ir::Value output : graph.outputs()) {
    work.ideal_bytes += bytes_of(graph.type(output), sizes);
  }
  return work;
}

}  // namespace sinter::runtime
