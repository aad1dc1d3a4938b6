// The table of CUDA schedules, best first.
#include "codegen/cuda/schedule/contraction_wgmma.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/rows.h"
#include "codegen/cuda/schedule/scan.h"
#include "codegen/cuda/schedule/split_reduce.h"
#include "codegen/cuda/schedule/transpose.h"
#include "codegen/schedule.h"

namespace sinter::codegen {

std::span<const Schedule> cuda_schedules() {
  static const Schedule kSchedules[] = {
      {"contraction_wgmma", cuda::refuses_wgmma, cuda::classes_wgmma, cuda::candidates_wgmma,
       cuda::emit_wgmma},
      cuda::kRowsSchedule,
      cuda::kPointwiseSchedule,
      cuda::kTransposeSchedule,
      cuda::kSplitReduceSchedule,
      cuda::kScanSchedule,
      {"generic", cuda::refuses_generic, cuda::classes_generic, cuda::candidates_generic,
       cuda::emit_generic},
  };
  return kSchedules;
}

}  // namespace sinter::codegen
