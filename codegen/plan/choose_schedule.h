// The best schedule for one kernel, by the schedules' own answers.
#pragma once

#include <map>
#include <span>
#include <string>

#include "codegen/schedule.h"
#include "codegen/target.h"
#include "ir/kernel.h"

namespace sinter::codegen {

/// Value of a size symbol for which the caller states none.
constexpr std::int64_t kDefaultSize = 1024;

struct ScheduleChoice {
  const Schedule* schedule = nullptr;  // null where all refuse
  double predicted_us = 0;
  std::string refusal;  // "name: reason" of each, where all refuse
};

/// The schedule with the smallest predicted time for tensors of `sizes` that are dense and well
/// aligned; the first of equal ones.
ScheduleChoice choose_schedule(const ir::Kernel& kernel, const Target& target,
                               std::span<const Schedule> schedules,
                               const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::codegen
