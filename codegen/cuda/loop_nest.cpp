// Finds the fold, what depends on it, and the place of every node.
#include "codegen/cuda/loop_nest.h"

#include <algorithm>

#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using ir::Value;

bool is_subset(const std::vector<AxisId>& part, const std::vector<AxisId>& whole) {
  return axes_without(part, whole).empty();
}

std::string axis_names(const Kernel& kernel, const std::vector<AxisId>& axes) {
  std::string text;
  for (const AxisId axis : axes) text += (text.empty() ? "" : ", ") + kernel.axes()[axis].name;
  return "(" + text + ")";
}

std::string node_name(const Kernel& kernel, NodeId id) {
  return fmt::format("{} %{}", ir::to_string(kernel.node(id).op), id);
}

/// By node: whether some store needs it.
std::vector<bool> find_live(const Kernel& kernel) {
  std::vector<bool> live(kernel.nodes().size());
  for (std::size_t i = live.size(); i-- > 0;) {
    const KernelNode& node = kernel.nodes()[i];
    if (node.op == Op::Store) live[i] = true;
    if (!live[i]) continue;
    for (const Value used : uses_of(node)) live[used.node] = true;
  }
  return live;
}

std::vector<NodeId> find_folds(const Kernel& kernel, const std::vector<bool>& live) {
  std::vector<NodeId> folds;
  for (NodeId id = 0; id < kernel.nodes().size(); ++id) {
    if (live[id] && is_fold(kernel.node(id))) folds.push_back(id);
  }
  return folds;
}

/// By node: whether it needs the fold's result.
std::vector<bool> find_dependents(const Kernel& kernel, NodeId fold) {
  std::vector<bool> depends(kernel.nodes().size());
  for (NodeId id = fold + 1; id < depends.size(); ++id) {
    for (const Value used : uses_of(kernel.node(id))) {
      if (used.node == fold || depends[used.node]) depends[id] = true;
    }
  }
  return depends;
}

/// The domain that holds those of all stores: the largest of them.
std::vector<AxisId> largest_store_domain(const Kernel& kernel) {
  std::vector<AxisId> largest;
  for (const NodeId store : kernel.stores()) {
    const std::vector<AxisId>& domain = kernel.node(store).domain;
    if (domain.size() > largest.size()) largest = domain;
  }
  return largest;
}

/// Parallel axes in the order in which the stores mention them.
std::vector<AxisId> order_parallel(const Kernel& kernel, const std::vector<AxisId>& axes) {
  std::vector<AxisId> last_first;
  for (const NodeId store : kernel.stores()) {
    const auto& map = kernel.node(store).attributes.get<ir::Shape>(AttributeName::Map);
    for (std::size_t d = map.size(); d-- > 0;) {
      const std::set<AxisId> mentioned = ir::axes_of(map[d]);
      for (auto axis = mentioned.rbegin(); axis != mentioned.rend(); ++axis) {
        if (has_axis(axes, *axis) && !has_axis(last_first, *axis)) last_first.push_back(*axis);
      }
    }
  }
  std::vector<AxisId> order = axes_without(axes, last_first);
  order.insert(order.end(), last_first.rbegin(), last_first.rend());
  return order;
}

/// Where a store misses an axis of its surroundings, it is done where that axis is 0, so the axis
/// must not be empty.
std::optional<std::string> refuse_idle_axes(const Kernel& kernel, NodeId store,
                                            const std::vector<AxisId>& surrounding) {
  for (const AxisId idle : axes_without(surrounding, kernel.node(store).domain)) {
    const ir::Axis& axis = kernel.axes()[idle];
    if (ir::is_provably_positive(axis.extent, kernel.axis_extent())) continue;
    return fmt::format("an output does not run over axis {}, whose extent {} may be 0", axis.name,
                       ir::to_string(axis.extent));
  }
  return std::nullopt;
}

std::optional<std::string> refuse_without_fold(const Kernel& kernel) {
  const std::vector<AxisId> largest = largest_store_domain(kernel);
  for (const NodeId store : kernel.stores()) {
    const std::vector<AxisId>& domain = kernel.node(store).domain;
    if (is_subset(domain, largest)) continue;
    return fmt::format("its outputs run over different axes: {} and {}",
                       axis_names(kernel, largest), axis_names(kernel, domain));
  }
  for (const NodeId store : kernel.stores()) {
    if (auto reason = refuse_idle_axes(kernel, store, largest)) return reason;
  }
  return std::nullopt;
}

std::optional<std::string> refuse_fold(const Kernel& kernel, NodeId fold) {
  const KernelNode& node = kernel.node(fold);
  const std::string name = node_name(kernel, fold);
  const std::vector<AxisId> loops = folded_axes(node);
  const std::vector<bool> depends = find_dependents(kernel, fold);
  const std::vector<bool> live = find_live(kernel);
  std::vector<AxisId> all = node.domain;
  if (node.op != Op::Scan) all.insert(all.end(), loops.begin(), loops.end());

  for (NodeId id = 0; id < kernel.nodes().size(); ++id) {
    const std::vector<AxisId>& domain = kernel.node(id).domain;
    if (!live[id] || !depends[id] || is_subset(domain, node.domain)) continue;
    const std::vector<AxisId> beyond = axes_without(domain, node.domain);
    const bool again = std::any_of(beyond.begin(), beyond.end(),
                                   [&](AxisId axis) { return has_axis(loops, axis); });
    return fmt::format("the result of {} is used {} {} by {}", name,
                       again ? "again over the axes that it reduced:" : "over further axes",
                       axis_names(kernel, beyond), node_name(kernel, id));
  }
  for (const NodeId store : kernel.stores()) {
    const std::vector<AxisId>& domain = kernel.node(store).domain;
    if (is_subset(domain, all)) {
      const bool is_inside = axes_without(domain, loops).size() < domain.size();
      const std::vector<AxisId> around = is_inside ? all : axes_without(all, loops);
      if (auto reason = refuse_idle_axes(kernel, store, around)) return reason;
      continue;
    }
    return fmt::format("an output runs over axes {} that {} does not have",
                       axis_names(kernel, axes_without(domain, all)), name);
  }
  return std::nullopt;
}

/// Before, Loop or After for every live node; see Segment.
void place_nodes(const Kernel& kernel, LoopNest& nest) {
  const std::vector<bool> live = find_live(kernel);
  const std::size_t count = kernel.nodes().size();
  nest.segments.assign(count, Segment::Dead);
  nest.depths.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (!live[i]) continue;
    nest.segments[i] = Segment::After;
    for (std::size_t loop = 0; loop < nest.loops.size(); ++loop) {
      const bool is_reduced = nest.fold == i && !nest.is_scan;
      if (is_reduced || has_axis(kernel.nodes()[i].domain, nest.loops[loop])) {
        nest.segments[i] = Segment::Loop;
        nest.depths[i] = loop + 1;
      }
    }
    // A store stands innermost: it is guarded by the loops it does not vary over.
    if (nest.segments[i] == Segment::Loop && kernel.nodes()[i].op == Op::Store) {
      nest.depths[i] = nest.loops.size();
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    const Segment segment = nest.segments[i];
    if (segment != Segment::Loop && segment != Segment::Before) continue;
    for (const Value used : uses_of(kernel.nodes()[i])) {
      if (nest.segments[used.node] == Segment::After) nest.segments[used.node] = Segment::Before;
    }
  }
}

}  // namespace

std::vector<AxisId> axes_without(const std::vector<AxisId>& domain,
                                 const std::vector<AxisId>& axes) {
  std::vector<AxisId> rest;
  for (const AxisId axis : domain) {
    if (!has_axis(axes, axis)) rest.push_back(axis);
  }
  return rest;
}

std::optional<std::string> refuse_loop_nest(const Kernel& kernel) {
  const std::vector<NodeId> folds = find_folds(kernel, find_live(kernel));
  if (folds.empty()) return refuse_without_fold(kernel);
  if (folds.size() == 1) return refuse_fold(kernel, folds.front());
  std::string list;
  for (const NodeId fold : folds) list += (list.empty() ? "" : ", ") + node_name(kernel, fold);
  return fmt::format("it has {} reductions, contractions and scans, one is possible: {}",
                     folds.size(), list);
}

LoopNest make_loop_nest(const Kernel& kernel) {
  LoopNest nest;
  const std::vector<NodeId> folds = find_folds(kernel, find_live(kernel));
  support::check(folds.size() <= 1, "kernel {} has {} folds", kernel.name(), folds.size());
  std::vector<AxisId> parallel = largest_store_domain(kernel);
  if (!folds.empty()) {
    const KernelNode& fold = kernel.node(folds.front());
    nest.fold = folds.front();
    nest.is_scan = fold.op == Op::Scan;
    nest.loops = folded_axes(fold);
    parallel = axes_without(fold.domain, nest.loops);
  }
  nest.parallel = order_parallel(kernel, parallel);
  place_nodes(kernel, nest);
  return nest;
}

}  // namespace sinter::codegen::cuda
