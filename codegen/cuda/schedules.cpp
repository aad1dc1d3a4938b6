// The table of CUDA schedules, best first.
#include "codegen/cuda/schedule/generic.h"
#include "codegen/schedule.h"

namespace sinter::codegen {

std::span<const Schedule> cuda_schedules() {
  static constexpr Schedule kSchedules[] = {
      {"generic", cuda::refuses_generic, cuda::classes_generic, cuda::candidates_generic,
       cuda::emit_generic},
  };
  return kSchedules;
}

}  // namespace sinter::codegen
