// The CPU's schedules, best first.
#include <array>

#include "codegen/llvm/schedule/generic.h"
#include "codegen/schedule.h"

namespace sinter::codegen {

std::span<const Schedule> cpu_schedules() {
  static const std::array schedules = {
      llvm::kGenericSchedule,  // anything with one reduction, contraction or scan
  };
  return schedules;
}

}  // namespace sinter::codegen
