// The CPU's schedules, best first.
#include <array>

#include "codegen/llvm/schedule/blas.h"
#include "codegen/llvm/schedule/generic.h"
#include "codegen/llvm/schedule/rows.h"
#include "codegen/schedule.h"

namespace sinter::codegen {

std::span<const Schedule> cpu_schedules() {
  static const std::array schedules = {
      llvm::kBlasSchedule,     // large matrix products, with what stands around them
      llvm::kRowsSchedule,     // several reductions of the same rows
      llvm::kGenericSchedule,  // anything with one reduction, contraction or scan
  };
  return schedules;
}

}  // namespace sinter::codegen
