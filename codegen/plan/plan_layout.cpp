#include "codegen/plan/plan_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel_queries.h"
#include "codegen/plan/choose_schedule.h"
#include "codegen/plan/cut_kernel.h"
#include "codegen/split_kernel.h"

namespace sinter::codegen {

namespace {

/// Cuts within each other: two folds one after the other and what is computed from both.
constexpr int kMostCuts = 2;

class LayoutPlanner {
 public:
  LayoutPlanner(CrossingTensors crossing, const Target& target, std::span<const Schedule> schedules,
                const std::map<std::string, std::int64_t>& sizes)
      : crossing_(std::move(crossing)), target_(target), schedules_(schedules), sizes_(sizes) {}

  LayoutPlan plan(const ir::Kernel& kernel, int cuts = kMostCuts) const {
    LayoutPlan best;
    const ScheduleChoice choice = choose_schedule(kernel, target_, schedules_, sizes_);
    if (choice.schedule != nullptr) {
      best.kernels.push_back({kernel, choice.schedule, {}, {}, choice.predicted_us});
    }
    if (cuts == 0) return best;
    for (const KernelCut& cut : find_cuts(kernel, crossing_)) {
      const KernelSplit split = split_kernel(kernel, cut.values, cut.early_stores, cut.order);
      const LayoutPlan before = plan(split.before, cuts - 1);
      // Only one of both is cut again: so intermediates differ in their names.
      const LayoutPlan behind = plan(split.behind, before.kernels.size() > 1 ? 0 : cuts - 1);
      const bool is_better = !before.kernels.empty() && !behind.kernels.empty() &&
                             (best.kernels.empty() ||
                              predicted_us(before) + predicted_us(behind) < predicted_us(best));
      if (is_better) best = join(split.intermediates, before, behind);
    }
    return best;
  }

 private:
  static double predicted_us(const LayoutPlan& plan) {
    double sum = 0;
    for (const PlannedKernel& kernel : plan.kernels) sum += kernel.predicted_us;
    return sum;
  }

  static LayoutPlan join(const std::vector<ir::KernelParam>& between, const LayoutPlan& before,
                         const LayoutPlan& behind) {
    LayoutPlan plan = before;
    for (const ir::KernelParam& param : between) {
      plan.intermediates.push_back({param.name, {param.dtype, param.shape}});
    }
    plan.kernels.insert(plan.kernels.end(), behind.kernels.begin(), behind.kernels.end());
    plan.intermediates.insert(plan.intermediates.end(), behind.intermediates.begin(),
                              behind.intermediates.end());
    return plan;
  }

  const CrossingTensors crossing_;
  const Target& target_;
  const std::span<const Schedule> schedules_;
  const std::map<std::string, std::int64_t>& sizes_;
};

/// The axes that run through a tensor of the kernel, as its first access has them in its dimensions.
std::vector<ir::AxisId> axes_of(const ir::Kernel& kernel, const std::string& param) {
  std::vector<ir::AxisId> axes;
  for (const ir::KernelNode& node : kernel.nodes()) {
    if (node.op != ir::Op::Load && node.op != ir::Op::Store) continue;
    if (tensor_of(kernel, node).name != param) continue;
    for (const ir::IndexExpr& expr : node.attributes.get<ir::Shape>(ir::AttributeName::Map)) {
      for (const ir::AxisId axis : ir::axes_of(expr)) {
        if (!has_axis(axes, axis)) axes.push_back(axis);
      }
    }
    break;
  }
  return axes;
}

/// The tensors whose dimensions change their order: wanted are they as the kernel was planned for.
CrossingTensors find_crossing(const ir::Kernel& kernel, const DimensionOrders& orders) {
  CrossingTensors crossing;
  auto begin = orders.begin();
  for (const ir::KernelParam& param : kernel.params()) {
    const auto end = begin + static_cast<std::ptrdiff_t>(param.shape.size());
    if (!std::is_sorted(begin, end)) crossing[param.name] = axes_of(kernel, param.name);
    begin = end;
  }
  return crossing;
}

}  // namespace

LayoutPlan plan_layout(const ir::Kernel& kernel, const DimensionOrders& orders,
                       const Target& target, std::span<const Schedule> schedules,
                       const std::map<std::string, std::int64_t>& sizes) {
  const LayoutPlanner planner(find_crossing(kernel, orders), target, schedules, sizes);
  LayoutPlan plan = planner.plan(permute_kernel(kernel, orders));
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const std::string number = plan.kernels.size() > 1 ? fmt::format("_{}", k) : "";
    plan.kernels[k].kernel.set_name(kernel.name() + "_permuted" + number);
  }
  return plan;
}

}  // namespace sinter::codegen
