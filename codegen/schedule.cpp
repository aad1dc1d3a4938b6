// The schedules of each backend.
#include "codegen/schedule.h"

namespace sinter::codegen {

std::span<const Schedule> schedules_of(Backend backend) {
  return backend == Backend::Cuda ? cuda_schedules() : cpu_schedules();
}

}  // namespace sinter::codegen
