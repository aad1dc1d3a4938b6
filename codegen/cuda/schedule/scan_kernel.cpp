#include "codegen/cuda/schedule/scan_kernel.h"

#include <algorithm>

#include "codegen/cuda/fold_text.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {

using ir::AttributeName;
using ir::AxisId;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;

bool ScanKernel::is_varying(const Kernel& kernel, NodeId id) const {
  const auto& domain = kernel.node(id).domain;
  return std::any_of(domain.begin(), domain.end(),
                     [&](const AxisId one) { return one == axis || has_axis(line, one); });
}

std::vector<AxisId> ScanKernel::outer() const {
  std::vector<AxisId> axes;
  for (const AxisId one : kept) {
    if (!has_axis(line, one)) axes.push_back(one);
  }
  return axes;
}

std::optional<ScanKernel> match_scan(const Kernel& kernel, std::string& why_not) {
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    return std::nullopt;
  };
  ScanKernel result;
  result.live = needed_nodes(kernel, kernel.stores());
  std::vector<NodeId> folds;
  for (const NodeId id : result.live) {
    const KernelNode& node = kernel.node(id);
    if (is_fold(node)) folds.push_back(id);
    if (node.op != Op::Load && node.op != Op::Store) continue;
    if (!tensor_of(kernel, node).is_host) result.accesses.push_back(id);
  }
  const bool has_scan = std::any_of(
      folds.begin(), folds.end(), [&](const NodeId id) { return kernel.node(id).op == Op::Scan; });
  if (!has_scan) return refuse("it has no scan");
  if (folds.size() > 1) return refuse("it has more than one scan, or reduces as well");
  result.scan = folds.front();
  const KernelNode& scan = kernel.node(result.scan);
  if (!can_combine_parts(kernel, result.scan)) {
    return refuse("its scan folds elements of other types than its accumulators");
  }
  result.axis = folded_axes(scan).front();
  result.is_reverse = scan.attributes.get_or<bool>(AttributeName::Reverse, false);
  for (const NodeId id : result.live) {
    const KernelNode& node = kernel.node(id);
    const bool is_within = std::includes(scan.domain.begin(), scan.domain.end(),
                                         node.domain.begin(), node.domain.end());
    if (!is_within) return refuse("it computes along axes that its scan does not have");
    if (node.op == Op::Store && node.domain != scan.domain) {
      return refuse("it stores over a part of its axes");
    }
  }
  std::vector<AxisId> kept;
  for (const AxisId axis : scan.domain) {
    if (axis != result.axis) kept.push_back(axis);
  }
  const std::vector<NodeId> widest = {widest_access(kernel, result.accesses)};
  result.kept = memory_order(kernel, widest, kept);
  result.line = longest_line(kernel, result.accesses, result.kept);
  result.is_columns = !result.line.empty();
  if (!result.is_columns) result.line = {result.axis};
  return result;
}

ScanPasses plan_scan_passes(const Kernel& kernel, const ScanKernel& scan,
                            const LineVectors& vectors, bool is_single) {
  const auto is_vector = [&](NodeId id) {
    return kernel.node(id).op == Op::Load && is_vector_access(kernel, id, scan.line, vectors);
  };
  ScanPasses passes;
  for (const ir::Value operand : kernel.node(scan.scan).operands) {
    if (is_single) break;
    const NodeId id = operand.node;
    const KernelNode& node = kernel.node(id);
    if (!scan.is_varying(kernel, id) || is_vector(id) || has_node(passes.kept, id)) continue;
    const bool is_widened = node.op == Op::Cast && is_vector(node.operands.front().node) &&
                            ir::is_narrow_float(kernel.dtype(node.operands.front()));
    if (!is_widened) passes.kept.push_back(id);
  }
  for (const NodeId id : needed_nodes(kernel, {scan.scan})) {
    if (id != scan.scan && scan.is_varying(kernel, id)) passes.first.push_back(id);
  }
  for (const NodeId id : needed_nodes(kernel, kernel.stores(), passes.kept)) {
    if (scan.is_varying(kernel, id) && !has_node(passes.kept, id)) passes.second.push_back(id);
  }
  return passes;
}

}  // namespace sinter::codegen::cuda
