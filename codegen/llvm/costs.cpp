// A roofline with a few weights: good enough to rank, not to promise.
#include "codegen/llvm/costs.h"

#include <algorithm>
#include <cmath>

#include "codegen/expand/expand.h"
#include "codegen/llvm/layout.h"
#include "codegen/llvm/reducers.h"

namespace sinter::codegen::llvm {

using ir::Op;

namespace {

constexpr std::int64_t kUnknownSize = 1024;
// In units of one vector instruction.
constexpr double kGatherCost = 4;
constexpr double kGatherLineBytes = 64;
// What a contract of the generic nest reaches of the machine's fma rate.
constexpr double kContractEfficiency = 0.25;

double node_cost(const ir::Kernel& kernel, const ir::KernelNode& node) {
  switch (ir::info(node.op).op_class) {
    case ir::OpClass::Leaf: return 0;
    case ir::OpClass::Access: return 1;
    case ir::OpClass::Contraction: return 1 / kContractEfficiency;
    default: break;
  }
  const auto expansion = expansion_of(node.op, kernel.dtype(node.operands.back()));
  if (!expansion) return 1;
  return static_cast<double>(std::count_if(
      expansion->nodes().begin(), expansion->nodes().end(),
      [](const ir::Node& n) { return ir::is_pointwise(n.op) && n.op != Op::Bitcast; }));
}

double nest_operations(const ir::Kernel& kernel, const NestPlan& plan, const Sizes& sizes) {
  double operations = 0;
  for (const ir::NodeId id : plan.group.needed) {
    const ir::KernelNode& node = kernel.node(id);
    std::vector<ir::AxisId> axes = node.domain;
    if (is_fold(node) && node.op != Op::Scan) {
      for (const ir::AxisId axis : folded_axes(node)) axes.push_back(axis);
    }
    operations += node_cost(kernel, node) * count_points(kernel, axes, sizes);
  }
  return operations;
}

/// What is brought more than traffic_bytes tells: where a nest with reductions moves a tensor lane by lane, its
/// rows are too long for a line of memory to stay until its next element's turn.
double gathered_bytes(const ir::Kernel& kernel, const ir::Facts& facts, const NestPlan& plan,
                      const Sizes& sizes) {
  double bytes = 0;
  if (!plan.has_gathers || plan.group.folds.empty()) return bytes;
  for (const ir::NodeId id : plan.group.needed) {
    const ir::KernelNode& node = kernel.node(id);
    if (node.op != Op::Load && node.op != Op::Store) continue;
    const LaneStep step = lane_stride(kernel, facts, node, *plan.lane_axis).step;
    const bool is_gathered = step == LaneStep::Strided || step == LaneStep::Irregular;
    if (is_gathered) bytes += kGatherLineBytes * count_points(kernel, node.domain, sizes);
  }
  return bytes;
}

}  // namespace

double estimate(const ir::IndexExpr& expr, const Sizes& sizes) {
  ir::IndexBindings bindings;
  bindings.sizes = sizes;
  for (const std::string& name : ir::sizes_of(expr)) bindings.sizes.emplace(name, kUnknownSize);
  return static_cast<double>(ir::evaluate(expr, bindings));
}

double count_points(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes,
                    const Sizes& sizes) {
  double points = 1;
  for (const ir::AxisId axis : axes) points *= estimate(kernel.axes()[axis].extent, sizes);
  return points;
}

double traffic_bytes(const ir::Kernel& kernel, const Sizes& sizes) {
  double bytes = 0;
  for (const ir::KernelParam& param : kernel.params()) {
    double elements = 1;
    for (const ir::Dim& dim : param.shape) elements *= estimate(dim, sizes);
    bytes += elements * static_cast<double>(size_bytes(param.dtype));
  }
  return bytes;
}

double predict_nests_us(const ir::Kernel& kernel, const ir::Facts& facts,
                        const std::vector<NestPlan>& plans, const Target& target,
                        const Sizes& sizes) {
  const double bandwidth = std::max(target.memory_gb_per_s, 1.0) * 1e3;  // bytes a us
  const double rate = std::max(target.fma_gflop_per_s, 1.0) / 2 * 1e3;   // operations a us
  double arithmetic_us = 0, bytes = traffic_bytes(kernel, sizes);
  for (const NestPlan& plan : plans) {
    const double items = count_points(kernel, plan.parallel, sizes);
    const double units = std::clamp(items, 1.0, static_cast<double>(target.units));
    double operations = nest_operations(kernel, plan, sizes);
    const bool is_scalar = !plan.lane_axis && plan.group.folds.empty();
    if (plan.has_gathers || is_scalar) operations *= kGatherCost;
    arithmetic_us += operations / (rate * units / target.units);
    bytes += gathered_bytes(kernel, facts, plan, sizes);
  }
  const double launches = static_cast<double>(plans.size()) * target.launch_us;
  return std::max(arithmetic_us, bytes / bandwidth) + launches;
}

}  // namespace sinter::codegen::llvm
