#include "codegen/llvm/kept_values.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen::llvm {

using ir::NodeId;
using ir::Op;

namespace {

// A row of them stays in the second-level cache.
constexpr std::int64_t kMostElements = 16384;
// Operators for each byte that an element moves to or from memory: fewer are hidden behind memory, and what is
// kept would take the place of rows in the first-level cache.
constexpr std::ptrdiff_t kOperatorsAByte = 4;

/// Nodes that vary along the axis among what `targets` need without going through a fold.
std::vector<NodeId> varying_nodes(const ir::Kernel& kernel, const NestPlan& plan,
                                  const std::vector<NodeId>& targets) {
  std::vector<NodeId> folds = plan.group.folds;
  std::erase_if(folds, [&](NodeId id) { return std::ranges::count(targets, id) > 0; });
  std::vector<NodeId> nodes = needed_nodes(kernel, targets, folds);
  std::erase_if(nodes, [&](NodeId id) {
    const ir::KernelNode& node = kernel.node(id);
    return node.op == Op::Store || node.op == Op::Load || is_fold(node) ||
           !has_axis(node.domain, *plan.lane_axis);
  });
  return nodes;
}

/// Bytes that one element of the row moves.
std::ptrdiff_t element_bytes(const ir::Kernel& kernel, const NestPlan& plan) {
  std::ptrdiff_t bytes = 0;
  for (const NodeId id : plan.group.needed) {
    const ir::KernelNode& node = kernel.node(id);
    if (node.op != Op::Load && node.op != Op::Store) continue;
    if (!std::ranges::includes(node.domain, plan.group.domain)) continue;
    bytes += static_cast<std::ptrdiff_t>(size_bytes(tensor_of(kernel, node).dtype));
  }
  return bytes;
}

std::ptrdiff_t count_operators(const ir::Kernel& kernel, const std::vector<NodeId>& nodes) {
  return std::ranges::count_if(nodes, [&](NodeId id) { return kernel.node(id).op != Op::Bitcast; });
}

}  // namespace

std::vector<KeptValue> kept_values(const ir::Kernel& kernel, const NestPlan& plan) {
  std::vector<KeptValue> kept;
  if (!plan.lane_axis || plan.scan || plan.inner != std::vector{*plan.lane_axis}) return kept;
  const auto extent = kernel.axes()[*plan.lane_axis].extent.as_constant();
  if (!extent || *extent > kMostElements) return kept;
  const std::ptrdiff_t least = kOperatorsAByte * element_bytes(kernel, plan);
  const std::vector<NodeId> wanted = varying_nodes(kernel, plan, plan.group.stores);
  for (const NodeId fold : plan.group.folds) {
    if (folded_axes(kernel.node(fold)) != plan.inner) continue;
    std::vector<NodeId> shared;
    for (const NodeId id : varying_nodes(kernel, plan, {fold})) {
      if (std::ranges::count(wanted, id) > 0) shared.push_back(id);
    }
    const auto is_used_by_shared = [&](NodeId id) {
      return std::ranges::any_of(shared, [&](NodeId user) {
        return std::ranges::count(uses_of(kernel.node(user)), id, &ir::Value::node) > 0;
      });
    };
    for (const NodeId id : shared) {
      if (is_used_by_shared(id) || std::ranges::count(kept, id, &KeptValue::node) > 0) continue;
      if (kernel.dtype({id, 0}) == ir::DType::Bool) continue;
      if (count_operators(kernel, varying_nodes(kernel, plan, {id})) < least) continue;
      kept.push_back({id, fold});
    }
  }
  return kept;
}

}  // namespace sinter::codegen::llvm
