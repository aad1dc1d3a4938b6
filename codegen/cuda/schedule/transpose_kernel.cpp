#include "codegen/cuda/schedule/transpose_kernel.h"

#include <algorithm>
#include <map>

#include "codegen/cuda/line_access.h"
#include "codegen/cuda/schedule/row_kernel.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;

/// The axis along which an access moves by one element of a dense tensor; nullopt where there is none, or where
/// its steps are not the same everywhere.
std::optional<AxisId> fast_axis(const Kernel& kernel, const KernelNode& access) {
  if (tensor_of(kernel, access).is_host) return std::nullopt;
  if (!access.attributes.get_or<ir::Shape>(AttributeName::Where, {}).empty()) return std::nullopt;
  for (const IndexExpr& expr : access.attributes.get<ir::Shape>(AttributeName::Map)) {
    if (!ir::is_affine(expr)) return std::nullopt;
  }
  const IndexExpr offset = dense_offset(kernel, access);
  std::optional<AxisId> fast;
  for (const AxisId axis : ir::axes_of(offset)) {
    if (ir::coefficient_of(offset, axis) != IndexExpr(1)) continue;
    if (fast) return std::nullopt;  // a window: neighbours overlap
    fast = axis;
  }
  return fast;
}

/// Whether a dense tensor is walked along the line, as one flat index, by a constant step.
bool has_step(const Kernel& kernel, const KernelNode& access, const std::vector<AxisId>& line) {
  const IndexExpr offset = dense_offset(kernel, access);
  const auto step = ir::coefficient_of(offset, line.back());
  if (!step) return false;
  const auto left = ir::axes_of(offset - *step * flat_index(kernel, line));
  return std::none_of(line.begin(), line.end(),
                      [&](const AxisId axis) { return left.contains(axis); });
}

class TransposeMatcher {
 public:
  explicit TransposeMatcher(const Kernel& kernel) : kernel_(kernel) {}

  std::optional<TransposeKernel> match(bool extends, std::string& why_not) {
    const auto pointwise = match_pointwise(kernel_, why_not);
    if (!pointwise) return std::nullopt;
    result_.live = pointwise->live;
    result_.accesses = pointwise->accesses;
    for (const NodeId id : result_.accesses) {
      if (const auto axis = fast_axis(kernel_, kernel_.node(id))) fast_[id] = *axis;
    }
    if (!choose_axes()) {
      why_not = "everything it moves lies along one line of axes";
      return std::nullopt;
    }
    set_kinds();
    if (extends) {
      extend(result_.line_b, TileAccess::Across);
      extend(result_.line_a, TileAccess::Along);
    }
    std::vector<AxisId> order = pointwise->rows;
    order.insert(order.end(), pointwise->line.begin(), pointwise->line.end());
    for (const AxisId axis : order) {
      if (!is_taken(axis)) result_.rows.push_back(axis);
    }
    return result_;
  }

 private:
  bool is_taken(AxisId axis) const {
    return has_axis(result_.line_a, axis) || has_axis(result_.line_b, axis);
  }

  bool is_fast(NodeId id, AxisId axis) const {
    const auto found = fast_.find(id);
    return found != fast_.end() && found->second == axis;
  }

  bool varies_over(NodeId id, AxisId axis) const { return has_axis(kernel_.node(id).domain, axis); }

  /// The first of the axes with the greatest weight.
  template <typename Weight>
  std::optional<AxisId> heaviest(const std::vector<NodeId>& accesses, const Weight& weight) const {
    std::map<AxisId, std::size_t> weights;
    std::optional<AxisId> best;
    for (const NodeId id : accesses) {
      if (fast_.contains(id)) weights[fast_.at(id)] += weight(id);
    }
    for (const NodeId id : accesses) {
      if (!fast_.contains(id)) continue;
      const AxisId axis = fast_.at(id);
      if (weights[axis] > 0 && (!best || weights[axis] > weights[*best])) best = axis;
    }
    return best;
  }

  bool choose_axes() {
    const auto a = heaviest(kernel_.stores(), [](NodeId) { return 1; });
    if (!a) return false;
    const auto b = heaviest(result_.accesses, [&](const NodeId id) -> std::size_t {
      const bool is_crossing = !is_fast(id, *a) && varies_over(id, *a);
      return is_crossing ? size_bytes(tensor_of(kernel_, kernel_.node(id)).dtype) : 0;
    });
    if (!b) return false;
    result_.line_a = {*a};
    result_.line_b = {*b};
    return true;
  }

  void set_kinds() {
    const AxisId a = result_.line_a.back();
    result_.kinds.assign(kernel_.nodes().size(), TileAccess::Single);
    for (const NodeId id : result_.accesses) {
      if (is_fast(id, a)) result_.kinds[id] = TileAccess::Along;
      const bool is_across = is_fast(id, result_.line_b.back()) && varies_over(id, a);
      if (is_across) result_.kinds[id] = TileAccess::Across;
    }
  }

  /// Puts axes ahead of the line while everything that moves in tiles has a constant step along it.
  void extend(std::vector<AxisId>& line, TileAccess kind) {
    std::vector<NodeId> of_kind;
    for (const NodeId id : result_.accesses) {
      if (result_.kinds[id] == kind) of_kind.push_back(id);
    }
    const std::vector<AxisId> order =
        memory_order(kernel_, of_kind, kernel_.node(of_kind.front()).domain);
    if (order.back() != line.back()) return;
    for (std::size_t next = order.size() - 1; next-- > 0;) {
      if (is_taken(order[next])) return;
      std::vector<AxisId> longer = line;
      longer.insert(longer.begin(), order[next]);
      const bool is_walked =
          std::all_of(result_.accesses.begin(), result_.accesses.end(), [&](const NodeId id) {
            return result_.kinds[id] == TileAccess::Single ||
                   has_step(kernel_, kernel_.node(id), longer);
          });
      if (!is_walked) return;
      line = longer;
    }
  }

  const Kernel& kernel_;
  std::map<NodeId, AxisId> fast_;
  TransposeKernel result_;
};

}  // namespace

std::vector<NodeId> TransposeKernel::of_kind(Op op, TileAccess kind, const Kernel& kernel) const {
  std::vector<NodeId> found;
  for (const NodeId id : accesses) {
    if (kernel.node(id).op == op && kinds[id] == kind) found.push_back(id);
  }
  return found;
}

std::optional<TransposeKernel> match_transpose(const Kernel& kernel, std::string& why_not) {
  return TransposeMatcher(kernel).match(true, why_not);
}

TransposeKernel match_transpose(const Kernel& kernel, const ir::Facts& facts) {
  std::string why_not;
  const auto longest = match_transpose(kernel, why_not);
  support::check(longest.has_value(), "transpose: {}", why_not);
  const bool is_dense =
      std::all_of(longest->accesses.begin(), longest->accesses.end(), [&](const NodeId id) {
        return longest->kinds[id] == TileAccess::Single ||
               facts.is_contiguous(tensor_of(kernel, kernel.node(id)).name);
      });
  return is_dense ? *longest : TransposeMatcher(kernel).match(false, why_not).value();
}

}  // namespace sinter::codegen::cuda
