#include "codegen/plan/plan_layout.h"

#include "codegen/plan/choose_schedule.h"

namespace sinter::codegen {

LayoutPlan plan_layout(const PlannedKernel& planned, const DimensionOrders& orders,
                       const Target& target, std::span<const Schedule> schedules,
                       const std::map<std::string, std::int64_t>& sizes) {
  PlannedKernel permuted = planned;
  permuted.kernel = permute_kernel(planned.kernel, orders);
  permuted.kernel.set_name(planned.kernel.name() + "_permuted");
  const ScheduleChoice choice = choose_schedule(permuted.kernel, target, schedules, sizes);
  LayoutPlan plan;
  if (choice.schedule == nullptr) return plan;
  permuted.schedule = choice.schedule;
  permuted.predicted_us = choice.predicted_us;
  plan.kernels.push_back(std::move(permuted));
  return plan;
}

}  // namespace sinter::codegen
