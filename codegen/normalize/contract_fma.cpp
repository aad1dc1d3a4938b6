#include "codegen/normalize/contract_fma.h"

#include <map>
#include <optional>

#include "ir/rewrite_graph.h"

namespace sinter::codegen {

namespace {

using ir::Op;
using ir::Value;

std::map<Value, int> count_uses(const ir::Graph& graph) {
  std::map<Value, int> uses;
  for (const ir::Node& node : graph.nodes()) {
    for (const Value operand : node.operands) ++uses[operand];
  }
  for (const Value output : graph.outputs()) ++uses[output];
  return uses;
}

class Contraction {
 public:
  explicit Contraction(const ir::Graph& graph)
      : graph_(graph), uses_(count_uses(graph)), rewriter_(graph) {}

  ir::Graph run(const NormalizeOptions& options) {
    for (ir::NodeId id = 0; id < graph_.nodes().size(); ++id) {
      const ir::Node& node = graph_.node(id);
      if (const auto contracted = contract(node)) {
        rewriter_.map({id, 0}, *contracted);
        continue;
      }
      rewriter_.copy(id, ir::rewrite_functions(node.attributes, [&](const ir::Graph& f) {
                       return contract_fma(f, options);
                     }));
    }
    return rewriter_.finish();
  }

 private:
  std::optional<Value> contract(const ir::Node& node) {
    if (node.op != Op::Add && node.op != Op::Sub) return std::nullopt;
    if (!ir::is_float(node.results.at(0).dtype)) return std::nullopt;
    const Value left = node.operands[0];
    const Value right = node.operands[1];
    const bool is_sum = node.op == Op::Add;
    if (is_lone_product(left)) {  // a * b + c, a * b - c
      const auto [a, b] = factors(left);
      const Value c = rewriter_.mapped(right);
      return fma(a, b, is_sum ? c : negate(c, node), node);
    }
    if (is_lone_product(right)) {  // c + a * b, c - a * b
      const auto [a, b] = factors(right);
      return fma(is_sum ? a : negate(a, node), b, rewriter_.mapped(left), node);
    }
    return std::nullopt;
  }

  bool is_lone_product(Value value) const {
    return graph_.node(value).op == Op::Mul && uses_.at(value) == 1;
  }
  std::pair<Value, Value> factors(Value product) const {
    const ir::Node& node = graph_.node(product);
    return {rewriter_.mapped(node.operands[0]), rewriter_.mapped(node.operands[1])};
  }
  Value negate(Value value, const ir::Node& node) {
    return rewriter_.graph().add(Op::Neg, {value}, {}, node.location);
  }
  Value fma(Value a, Value b, Value c, const ir::Node& node) {
    return rewriter_.graph().add(Op::Fma, {a, b, c}, {}, node.location);
  }

  const ir::Graph& graph_;
  std::map<Value, int> uses_;
  ir::GraphRewriter rewriter_;
};

}  // namespace

ir::Graph contract_fma(const ir::Graph& graph, const NormalizeOptions& options) {
  if (options.mode != ir::Mode::Fast) return graph;
  return Contraction(graph).run(options);
}

}  // namespace sinter::codegen
