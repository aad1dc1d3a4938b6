#include "codegen/cuda/schedule/row_kernel.h"

#include <algorithm>
#include <set>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/line_access.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;

RowKernel collect(const Kernel& kernel) {
  RowKernel result;
  result.live = needed_nodes(kernel, kernel.stores());
  for (const NodeId id : result.live) {
    const KernelNode& node = kernel.node(id);
    if (is_fold(node)) result.folds.push_back(id);
    if (node.op == Op::Load || node.op == Op::Store) result.accesses.push_back(id);
  }
  return result;
}

void find_passes(const Kernel& kernel, RowKernel& result) {
  result.passes.assign(kernel.nodes().size(), 0);
  for (const NodeId id : result.live) {
    for (const ir::Value used : uses_of(kernel.node(id))) {
      const std::size_t after = is_fold(kernel.node(used.node)) ? 1 : 0;
      result.passes[id] = std::max(result.passes[id], result.passes[used.node] + after);
    }
  }
  for (const NodeId id : result.live) {
    const bool is_store = kernel.node(id).op == Op::Store;
    const bool counts = is_fold(kernel.node(id)) || (is_store && result.is_along(kernel, id));
    if (counts) result.pass_count = std::max(result.pass_count, result.passes[id] + 1);
  }
  // What is stored may lie where something else is still to be read: stores come last.
  for (const NodeId id : result.live) {
    if (kernel.node(id).op == Op::Store && result.is_along(kernel, id)) {
      result.passes[id] = result.pass_count - 1;
    }
  }
}

}  // namespace

bool RowKernel::is_along(const Kernel& kernel, NodeId id) const {
  const auto& domain = kernel.node(id).domain;
  return std::any_of(domain.begin(), domain.end(),
                     [&](const AxisId axis) { return has_axis(line, axis); });
}

namespace {

/// The folds and the stores along the row of one pass.
std::vector<NodeId> targets_of(const Kernel& kernel, const RowKernel& rows, std::size_t pass) {
  std::vector<NodeId> targets;
  for (const NodeId id : rows.live) {
    const KernelNode& node = kernel.node(id);
    const bool is_store = node.op == Op::Store && rows.is_along(kernel, id);
    if ((is_fold(node) || is_store) && rows.passes[id] == pass) targets.push_back(id);
  }
  return targets;
}

/// Issue slots for which a value is made again instead of keeping it.
constexpr double kCheapSlots = 6;

/// Whether making the value again from what is loaded takes less room than keeping it, and little time: a
/// widened bf16, what is subtracted from it, and an exponential of that.
bool is_made_again(const Kernel& kernel, const RowKernel& rows, NodeId id) {
  const Op op = kernel.node(id).op;
  if (op == Op::Load || op == Op::Store) return false;
  double slots = 0;
  std::size_t loaded_bytes = 0;
  for (const NodeId made : needed_nodes(kernel, {id}, rows.folds)) {
    const KernelNode& node = kernel.node(made);
    if (!rows.is_along(kernel, made) || is_fold(node)) continue;
    if (node.op == Op::Load) {
      loaded_bytes += size_bytes(node.results.front());
    } else {
      slots += operator_slots(kernel, node);
    }
  }
  return slots <= kCheapSlots &&
         loaded_bytes < std::max<std::size_t>(size_bytes(kernel.dtype({id, 0})), 4);
}

/// A widened float lies in the register of what it was widened from, where that is no part of a loaded vector.
bool is_widened_kept(const Kernel& kernel, NodeId id, const std::set<NodeId>& alive) {
  const KernelNode& node = kernel.node(id);
  if (node.op != Op::Cast || !ir::is_float(kernel.dtype({id, 0}))) return false;
  const NodeId from = node.operands.front().node;
  return alive.contains(from) && kernel.node(from).op != Op::Load &&
         ir::is_float(kernel.dtype({from, 0}));
}

}  // namespace

RowPasses plan_row_passes(const Kernel& kernel, const RowKernel& rows, bool keeps) {
  RowPasses result;
  result.kept.assign(kernel.nodes().size(), false);
  std::vector<bool> is_ready(kernel.nodes().size(), false);
  std::vector<std::vector<NodeId>> reused;  // by pass
  for (std::size_t pass = 0; pass < rows.pass_count; ++pass) {
    std::vector<NodeId> stops;
    for (NodeId id = 0; id < is_ready.size(); ++id) {
      const bool is_earlier_fold = is_fold(kernel.node(id)) && rows.passes[id] < pass;
      if (is_ready[id] || is_earlier_fold) stops.push_back(id);
    }
    auto& nodes = result.nodes.emplace_back();
    auto& old = reused.emplace_back();
    for (const NodeId id : needed_nodes(kernel, targets_of(kernel, rows, pass), stops)) {
      if (is_ready[id]) {
        result.kept[id] = true;
        old.push_back(id);
      } else if (rows.is_along(kernel, id) && !is_fold(kernel.node(id))) {
        nodes.push_back(id);
      }
    }
    if (!keeps) continue;
    for (const NodeId id : nodes) {
      is_ready[id] = kernel.node(id).op != Op::Index && !is_made_again(kernel, rows, id);
    }
  }
  for (std::size_t pass = 0; pass < rows.pass_count; ++pass) {
    std::set<NodeId> alive;
    for (std::size_t later = pass + 1; later < rows.pass_count; ++later) {
      for (const NodeId id : reused[later]) {
        const bool is_made =
            std::any_of(result.nodes.begin(), result.nodes.begin() + static_cast<long>(pass) + 1,
                        [&](const auto& nodes) {
                          return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
                        });
        if (is_made) alive.insert(id);
      }
    }
    std::int64_t bytes = 0;
    for (const NodeId id : alive) {
      if (is_widened_kept(kernel, id, alive)) continue;
      const auto size = static_cast<std::int64_t>(size_bytes(kernel.dtype({id, 0})));
      // Loaded vectors stay as they are; other values have registers of their own.
      bytes += kernel.node(id).op == Op::Load ? size : std::max<std::int64_t>(size, 4);
    }
    result.most_kept_bytes = std::max(result.most_kept_bytes, bytes);
  }
  return result;
}

std::optional<RowKernel> match_rows(const Kernel& kernel, std::string& why_not) {
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    return std::nullopt;
  };
  RowKernel result = collect(kernel);
  if (result.folds.empty()) return refuse("it reduces nothing");
  const std::vector<AxisId> reduced = folded_axes(kernel.node(result.folds.front()));
  for (const NodeId id : result.folds) {
    const KernelNode& node = kernel.node(id);
    if (node.op != Op::Reduce) return refuse("it has a contraction or a scan");
    if (folded_axes(node) != reduced) return refuse("it reduces over different axes");
    if (!can_share_fold(kernel, id)) return refuse("a reduction of it cannot be shared by threads");
  }
  result.line = memory_order(kernel, result.accesses, reduced);
  std::vector<bool> is_row(kernel.axes().size(), false);
  for (const NodeId id : result.live) {
    for (const AxisId axis : kernel.node(id).domain) {
      if (!has_axis(result.line, axis)) is_row[axis] = true;
    }
  }
  for (AxisId axis = 0; axis < kernel.axes().size(); ++axis) {
    if (is_row[axis]) result.rows.push_back(axis);
  }
  for (const NodeId id : kernel.stores()) {
    const auto& domain = kernel.node(id).domain;
    const bool has_rows = std::all_of(result.rows.begin(), result.rows.end(),
                                      [&](const AxisId axis) { return has_axis(domain, axis); });
    const bool is_along = result.is_along(kernel, id);
    const bool has_line = std::all_of(result.line.begin(), result.line.end(),
                                      [&](const AxisId axis) { return has_axis(domain, axis); });
    if (!has_rows || (is_along && !has_line)) return refuse("it stores over a part of its axes");
  }
  result.rows = memory_order(kernel, result.accesses, result.rows);
  find_passes(kernel, result);
  return result;
}

std::optional<RowKernel> match_pointwise(const Kernel& kernel, std::string& why_not) {
  RowKernel result = collect(kernel);
  if (!result.folds.empty()) {
    why_not = "it folds";
    return std::nullopt;
  }
  const auto& domain = kernel.node(kernel.stores().front()).domain;
  for (const NodeId id : kernel.stores()) {
    if (kernel.node(id).domain == domain) continue;
    why_not = "it stores over different axes";
    return std::nullopt;
  }
  if (domain.empty()) {
    why_not = "it is one element";
    return std::nullopt;
  }
  std::vector<NodeId> stores = kernel.stores();
  const std::vector<AxisId> order = memory_order(kernel, stores, domain);
  // The longest tail of the axes along which nothing is irregular.
  std::size_t begin = order.size() - 1;
  while (begin > 0) {
    const std::vector<AxisId> longer(order.begin() + static_cast<long>(begin) - 1, order.end());
    const bool is_regular =
        std::all_of(result.accesses.begin(), result.accesses.end(), [&](const NodeId id) {
          return line_step(kernel, kernel.node(id), longer) != LineStep::Irregular;
        });
    if (!is_regular) break;
    --begin;
  }
  result.rows.assign(order.begin(), order.begin() + static_cast<long>(begin));
  result.line.assign(order.begin() + static_cast<long>(begin), order.end());
  result.passes.assign(kernel.nodes().size(), 0);
  return result;
}

}  // namespace sinter::codegen::cuda
