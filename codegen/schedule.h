// A schedule: the unit of growth of a backend. One table row and one file pair with four functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/config.h"
#include "codegen/program.h"
#include "codegen/target.h"
#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen {

struct Candidate {
  Config config;
  double predicted_us = 0;
};

struct Schedule {
  std::string_view name;
  /// Nullopt where the schedule can emit this kernel; else the reason why not, in words for users.
  std::optional<std::string> (*refuses)(const ir::Kernel& kernel, const Target& target);
  /// The finite list of Facts that the schedule tells apart, best first; the last is empty (always
  /// holds).
  std::vector<ir::Facts> (*classes)(const ir::Kernel& kernel);
  /// Configs with predicted times for sizes of about `sizes`, best first; never empty for an
  /// accepted kernel.
  std::vector<Candidate> (*candidates)(const ir::Kernel& kernel, const ir::Facts& facts,
                                       const Target& target,
                                       const std::map<std::string, std::int64_t>& sizes);
  Program (*emit)(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                  const Target& target);
};

/// The schedules of a backend, best first; `generic` last. One row a schedule.
std::span<const Schedule> cuda_schedules();
std::span<const Schedule> cpu_schedules();
std::span<const Schedule> schedules_of(Backend backend);

}  // namespace sinter::codegen
