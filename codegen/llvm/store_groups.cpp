// Grouping stores and choosing axes.
#include "codegen/llvm/store_groups.h"

#include <algorithm>

#include "codegen/llvm/layout.h"
#include "codegen/llvm/reducers.h"
#include "codegen/llvm/value_emitter.h"

namespace sinter::codegen::llvm {

using ir::AxisId;
using ir::Op;

namespace {

constexpr std::int64_t kUnknownExtent = 1024;

std::int64_t assumed_extent(const ir::Kernel& kernel, AxisId axis) {
  return kernel.axes()[axis].extent.as_constant().value_or(kUnknownExtent);
}

/// Axes of the group's domain that all of its reduced values vary over, but for a scan's own axis.
std::vector<AxisId> parallel_axes(const ir::Kernel& kernel, const StoreGroup& group) {
  std::vector<AxisId> axes = group.domain;
  for (const ir::NodeId id : group.folds) {
    const ir::KernelNode& fold = kernel.node(id);
    if (!std::ranges::includes(group.domain, fold.domain)) continue;  // within another fold
    std::erase_if(axes, [&](AxisId axis) {
      if (fold.op == Op::Scan && axis == folded_axes(fold)[0]) return true;
      return !std::ranges::binary_search(fold.domain, axis);
    });
  }
  return axes;
}

/// The cheapest axis, the last among equals. An axis of fewer elements than a vector is no use.
std::optional<AxisId> choose_lane_axis(const ir::Kernel& kernel, const ir::Facts& facts,
                                       const StoreGroup& group,
                                       const std::vector<AxisId>& candidates) {
  std::optional<AxisId> best;
  double best_cost = 0;
  for (const AxisId axis : candidates) {
    double cost = lane_cost(kernel, facts, group.needed, axis);
    if (assumed_extent(kernel, axis) < 4) cost += 1000;
    if (best && cost > best_cost) continue;
    best = axis;
    best_cost = cost;
  }
  return best;
}

/// Whether lanes over a folded axis are better than lanes over `axis`.
bool is_better_folded(const ir::Kernel& kernel, const ir::Facts& facts, const StoreGroup& group,
                      AxisId axis) {
  for (const ir::NodeId id : group.folds) {
    if (!reduced_lane_axis(kernel, facts, id)) continue;
    const std::vector<ir::NodeId> nodes = needed_nodes(kernel, {id});
    if (lane_cost(kernel, facts, nodes, axis) > 0 || assumed_extent(kernel, axis) < 4) return true;
  }
  return false;
}

std::optional<ir::NodeId> find_column_fold(const ir::Kernel& kernel, const NestPlan& plan) {
  if (plan.group.folds.size() != 1 || plan.has_gathers || !plan.lane_axis) return std::nullopt;
  const ir::KernelNode& fold = kernel.node(plan.group.folds[0]);
  if (fold.op != Op::Reduce || fold.domain != plan.group.domain) return std::nullopt;
  if (std::ranges::count(plan.parallel, *plan.lane_axis) == 0) return std::nullopt;
  // Lanes of bool are bits, which have no address.
  for (const ir::Literal& identity : fold_identities(fold)) {
    if (identity.dtype == ir::DType::Bool) return std::nullopt;
  }
  const bool is_wide = assumed_extent(kernel, *plan.lane_axis) >= 256;
  const bool is_tall = assumed_extent(kernel, folded_axes(fold)[0]) > 4 * kColumnRows;
  return is_wide && is_tall ? std::optional(plan.group.folds[0]) : std::nullopt;
}

/// Accesses that are strided along the lane axis and dense along `tile_axis`; none where another one would
/// be gathered all the same.
std::vector<ir::NodeId> tiled_accesses(const ir::Kernel& kernel, const ir::Facts& facts,
                                       const NestPlan& plan, AxisId tile_axis) {
  std::vector<ir::NodeId> tiled;
  for (const ir::NodeId id : plan.group.needed) {
    const ir::KernelNode& node = kernel.node(id);
    if (node.op != Op::Load && node.op != Op::Store) continue;
    const LaneStep step = lane_stride(kernel, facts, node, *plan.lane_axis).step;
    if (step == LaneStep::Invariant || step == LaneStep::Unit) continue;
    if (step == LaneStep::Reversed && node.op == Op::Load) continue;
    const bool is_bool = tensor_of(kernel, node).dtype == ir::DType::Bool;
    const bool is_dense = step == LaneStep::Strided &&
                          lane_stride(kernel, facts, node, tile_axis).step == LaneStep::Unit;
    if (!is_dense || is_bool || node.attributes.find(ir::AttributeName::Where) != nullptr)
      return {};
    tiled.push_back(id);
  }
  return tiled;
}

/// Chooses the tile axis of a plan without folds, or with one scan. Each element of a tile has code of its
/// own, which must not become too long.
void choose_tile_axis(const ir::Kernel& kernel, const ir::Facts& facts, NestPlan& plan) {
  constexpr std::size_t kMostNodes = 100;
  if (!plan.lane_axis || std::ranges::count(plan.parallel, *plan.lane_axis) == 0) return;
  if (plan.group.folds.size() > (plan.scan ? 1 : 0) || !plan.inner.empty()) return;
  if (plan.group.needed.size() > kMostNodes || assumed_extent(kernel, *plan.lane_axis) < 32) return;
  std::vector<AxisId> candidates = plan.parallel;
  if (plan.scan) candidates = folded_axes(kernel.node(*plan.scan));
  for (const AxisId axis : candidates) {
    if (axis == *plan.lane_axis || assumed_extent(kernel, axis) < 32) continue;
    plan.tiled = tiled_accesses(kernel, facts, plan, axis);
    if (plan.tiled.empty()) continue;
    plan.tile_axis = axis;
    plan.has_gathers = false;
    plan.blocks_first = false;
    return;
  }
}

}  // namespace

std::vector<StoreGroup> store_groups(const ir::Kernel& kernel) {
  std::vector<StoreGroup> groups;
  for (const ir::NodeId store : kernel.stores()) {
    const std::vector<AxisId>& domain = kernel.node(store).domain;
    auto group = std::ranges::find(groups, domain, &StoreGroup::domain);
    if (group == groups.end()) {
      groups.push_back({{}, domain, {}, {}});
      group = groups.end() - 1;
    }
    group->stores.push_back(store);
  }
  for (StoreGroup& group : groups) {
    group.needed = needed_nodes(kernel, group.stores);
    for (const ir::NodeId id : group.needed) {
      if (is_fold(kernel.node(id))) group.folds.push_back(id);
    }
  }
  return groups;
}

NestPlan plan_nest(const ir::Kernel& kernel, const ir::Facts& facts, const StoreGroup& group,
                   std::int64_t block) {
  NestPlan plan;
  plan.group = group;
  plan.parallel = parallel_axes(kernel, group);
  std::ranges::set_difference(group.domain, plan.parallel, std::back_inserter(plan.inner));
  std::vector<AxisId> candidates = group.domain;
  for (const ir::NodeId id : group.folds) {
    if (kernel.node(id).op != Op::Scan) continue;
    plan.scan = id;
    std::erase(candidates, folded_axes(kernel.node(id))[0]);
    std::erase(plan.inner, folded_axes(kernel.node(id))[0]);
  }
  plan.lane_axis = choose_lane_axis(kernel, facts, group, candidates);
  const bool is_parallel = plan.lane_axis && std::ranges::count(plan.parallel, *plan.lane_axis) > 0;
  if (is_parallel && is_better_folded(kernel, facts, group, *plan.lane_axis)) {
    plan.lane_axis.reset();
    plan.lane_axis = choose_lane_axis(kernel, facts, group, plan.inner);
  }
  plan.block = block;
  plan.has_gathers = plan.lane_axis && lane_cost(kernel, facts, group.needed, *plan.lane_axis) > 0;
  plan.blocks_first = plan.has_gathers;
  for (const ir::NodeId id : group.folds) {
    if (kernel.node(id).op == Op::Contract) plan.blocks_first = true;
  }
  plan.column_fold = find_column_fold(kernel, plan);
  if (plan.has_gathers) choose_tile_axis(kernel, facts, plan);
  return plan;
}

std::int64_t item_work(const ir::Kernel& kernel, const NestPlan& plan) {
  std::int64_t work = 1;
  const auto repeat = [&](AxisId axis) {
    work = std::min<std::int64_t>(work * std::max<std::int64_t>(assumed_extent(kernel, axis), 1),
                                  std::int64_t{1} << 40);
  };
  for (const AxisId axis : plan.inner) repeat(axis);
  std::vector<AxisId> folded;
  for (const ir::NodeId id : plan.group.folds) {
    for (const AxisId axis : folded_axes(kernel.node(id))) folded.push_back(axis);
  }
  std::ranges::sort(folded);
  folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
  for (const AxisId axis : folded) {
    if (std::ranges::count(plan.inner, axis) == 0) repeat(axis);
  }
  if (plan.lane_axis && std::ranges::count(plan.parallel, *plan.lane_axis) > 0) {
    work *= std::clamp<std::int64_t>(assumed_extent(kernel, *plan.lane_axis), 1, plan.block);
  }
  if (plan.tile_axis && !plan.scan) {
    work *= std::clamp<std::int64_t>(assumed_extent(kernel, *plan.tile_axis), 1, kTileBlock);
  }
  return work;
}

int native_lanes(const ir::Kernel& kernel, const Target& target) {
  std::size_t widest = 1;
  for (const ir::KernelNode& node : kernel.nodes()) {
    if (node.op == Op::Index) continue;
    for (const ir::DType dtype : node.results) {
      widest = std::max(widest, size_bytes(ir::compute_dtype(dtype)));
    }
  }
  return std::max(1, target.vector_bytes / static_cast<int>(widest));
}

}  // namespace sinter::codegen::llvm
