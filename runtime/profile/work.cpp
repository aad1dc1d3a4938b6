// Counting by node, from the operators' classes.
#include "runtime/profile/work.h"

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

double flops_of(const ir::Graph& graph, const ir::Node& node, const Sizes& sizes) {
  switch (ir::info(node.op).op_class) {
    case ir::OpClass::Unary:
    case ir::OpClass::Binary:
    case ir::OpClass::Compare:
    case ir::OpClass::Ternary: return count_elements(node.results[0].shape, sizes);
    case ir::OpClass::Reduction:
    case ir::OpClass::Scan:
    case ir::OpClass::Composite: return count_elements(graph.type(node.operands[0]).shape, sizes);
    case ir::OpClass::Contraction: {
      const ir::Dim& k = graph.type(node.operands[0]).shape.back();
      return 2 * count_elements(node.results[0].shape, sizes) *
             static_cast<double>(ir::evaluate(k, {sizes, {}, {}}));
    }
    case ir::OpClass::Leaf:
    case ir::OpClass::Cast:
    case ir::OpClass::View:
    case ir::OpClass::Access: return 0;
  }
  return 0;
}

}  // namespace

Work count_work(const ir::Graph& graph, const Sizes& sizes) {
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
