// Counting by node, from the operators' classes.
#include "runtime/profile/work.h"

#include <algorithm>

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

Arithmetic product_kind(const ir::Graph& graph, const ir::Node& node) {
  const ir::DType dtype = graph.type(node.operands[0]).dtype;
  switch (dtype) {
    case ir::DType::F64: return Arithmetic::ProductF64;
    case ir::DType::F16: return Arithmetic::ProductF16;
    case ir::DType::BF16: return Arithmetic::ProductBf16;
    case ir::DType::F8E4M3:
    case ir::DType::F8E5M2: return Arithmetic::ProductF8;
    case ir::DType::I8:
    case ir::DType::U8: return Arithmetic::ProductI8;
    default: break;
  }
  if (dtype != ir::DType::F32) return Arithmetic::F32;
  const auto precision =
      node.attributes.get_or<ir::Precision>(ir::AttributeName::Precision, ir::Precision::Split);
  switch (precision) {
    case ir::Precision::Ieee: return Arithmetic::F32;
    case ir::Precision::Split: return Arithmetic::ProductF32;
    case ir::Precision::SplitFast:
    case ir::Precision::Tf32: return Arithmetic::ProductTf32;
  }
  return Arithmetic::ProductF32;
}

Arithmetic kind_of(const ir::Graph& graph, const ir::Node& node) {
  if (ir::info(node.op).op_class == ir::OpClass::Contraction) return product_kind(graph, node);
  const bool is_f64 =
      !node.operands.empty() && graph.type(node.operands[0]).dtype == ir::DType::F64;
  return is_f64 ? Arithmetic::F64 : Arithmetic::F32;
}

/// For each value the elements of it that the outputs need, at most all: an element of a view or movement needs
/// one of its first operand, everything else needs its operands whole.
std::map<ir::Value, double> count_needed(const ir::Graph& graph, const Sizes& sizes) {
  std::map<ir::Value, double> needed;
  const auto need = [&](ir::Value value, double count) {
    double& known = needed[value];
    known = std::min(known + count, count_elements(graph.type(value).shape, sizes));
  };
  for (const ir::Value output : graph.outputs()) {
    need(output, count_elements(graph.type(output).shape, sizes));
  }
  for (ir::NodeId id = static_cast<ir::NodeId>(graph.nodes().size()); id-- > 0;) {
    const ir::Node& node = graph.node(id);
    double count = 0;
    for (std::uint32_t r = 0; r < node.results.size(); ++r) count += needed[{id, r}];
    if (count == 0) continue;
    const ir::OpClass op_class = ir::info(node.op).op_class;
    const bool moves = op_class == ir::OpClass::View || op_class == ir::OpClass::Movement;
    for (std::size_t o = 0; o < node.operands.size(); ++o) {
      const ir::Value operand = node.operands[o];
      need(operand, moves && o == 0 ? count : count_elements(graph.type(operand).shape, sizes));
    }
  }
  return needed;
}

bool leaves_out(const ir::Node& node) {
  if (node.op != ir::Op::Attention) return false;
  for (const auto name :
       {ir::AttributeName::Causal, ir::AttributeName::Window, ir::AttributeName::Given}) {
    if (node.attributes.find(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

Work count_work(const ir::Graph& operators, const Sizes& sizes) {
  const ir::Graph graph = ir::decompose(operators);
  Work work;
  for (const ir::Node& node : operators.nodes()) {
    work.is_upper_bound = work.is_upper_bound || leaves_out(node);
  }
  for (const ir::Node& node : graph.nodes()) {
    const double flops = flops_of(graph, node, sizes);
    if (flops == 0) continue;
    work.flops += flops;
    work.flops_by_kind[kind_of(graph, node)] += flops;
  }
  const auto needed = count_needed(graph, sizes);
  for (const ir::NodeId id : graph.parameters()) {
    const auto found = needed.find({id, 0});
    if (found == needed.end() || graph.is_host_scalar(id)) continue;
    work.bytes_read += found->second * static_cast<double>(size_bytes(graph.type({id, 0}).dtype));
  }
  for (const ir::Value output : graph.outputs()) {
    work.bytes_written += bytes_of(graph.type(output), sizes);
  }
  work.ideal_bytes = work.bytes_read + work.bytes_written;
  return work;
}

}  // namespace sinter::runtime
