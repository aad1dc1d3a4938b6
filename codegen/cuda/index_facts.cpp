// Bounds of index expressions as expressions of sizes, each of which becomes a Range fact.
#include "codegen/cuda/index_facts.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AtomKind;
using ir::AttributeName;
using ir::Fact;
using ir::IndexExpr;
using ir::Kernel;

/// Room for the threads of the last block and for the last step of a loop.
constexpr std::int64_t kLimit = (std::int64_t{1} << 31) - 1 - 4096;

IndexExpr bound_of(const IndexExpr& expr, const Kernel& kernel);

IndexExpr bound_of(const ir::Atom& atom, const Kernel& kernel) {
  switch (atom.kind) {
    case AtomKind::Size: return IndexExpr::size(atom.name);
    case AtomKind::Axis: return kernel.axes()[atom.axis].extent;
    case AtomKind::Value: return 0;
    // mod(x, 0) = x, so the bound of the dividend serves both.
    case AtomKind::FloorDiv:
    case AtomKind::Mod: return bound_of(atom.operands[0], kernel) + 1;
    case AtomKind::Min:
    case AtomKind::Max:
      return bound_of(atom.operands[0], kernel) + bound_of(atom.operands[1], kernel);
  }
  return 0;
}

/// An expression of sizes that |expr|, and the magnitude of each part of it, never exceed.
IndexExpr bound_of(const IndexExpr& expr, const Kernel& kernel) {
  IndexExpr bound = 0;
  for (const ir::Term& term : expr.terms()) {
    IndexExpr product = std::max(term.coefficient, -term.coefficient);
    for (const ir::Atom& atom : term.factors) product = product * bound_of(atom, kernel);
    bound = bound + product;
  }
  return bound;
}

std::vector<IndexExpr> collect_bounds(const Kernel& kernel) {
  // Threads count the points of the axes that are folded, and of those that are not.
  std::set<ir::AxisId> folded, all;
  for (const ir::NodeId id : needed_nodes(kernel, kernel.stores())) {
    const ir::KernelNode& node = kernel.node(id);
    all.insert(node.domain.begin(), node.domain.end());
    if (!is_fold(node)) continue;
    const std::vector<ir::AxisId> axes = folded_axes(node);
    folded.insert(axes.begin(), axes.end());
  }
  std::vector<ir::AxisId> parallel;
  std::set_difference(all.begin(), all.end(), folded.begin(), folded.end(),
                      std::back_inserter(parallel));
  std::vector<IndexExpr> bounds = {extent_of(kernel, parallel),
                                   extent_of(kernel, {folded.begin(), folded.end()})};
  for (const ir::Axis& axis : kernel.axes()) bounds.push_back(axis.extent);
  for (const ir::KernelNode& node : kernel.nodes()) {
    for (const AttributeName name : {AttributeName::Map, AttributeName::Where}) {
      for (const IndexExpr& expr : node.attributes.get_or<ir::Shape>(name, {})) {
        if (ir::values_of(expr).empty()) bounds.push_back(bound_of(expr, kernel));
      }
    }
  }
  return bounds;
}

}  // namespace

std::optional<std::vector<Fact>> narrow_index_facts(const Kernel& kernel) {
  std::vector<Fact> facts;
  for (const ir::KernelParam& param : kernel.params()) facts.push_back(Fact::offsets32(param.name));
  for (const IndexExpr& bound : collect_bounds(kernel)) {
    const std::optional<std::int64_t> number = bound.as_constant();
    if (!number) {
      facts.push_back(Fact::range(bound, 0, kLimit));
    } else if (*number > kLimit) {
      return std::nullopt;
    }
  }
  return facts;
}

bool is_narrow_index(const Kernel& kernel, const ir::Facts& facts) {
  const auto needed = narrow_index_facts(kernel);
  return needed && facts.has_all(*needed);
}

}  // namespace sinter::codegen::cuda
