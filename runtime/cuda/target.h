// What codegen may know of a device, from its attributes.
#pragma once

#include "codegen/target.h"
#include "runtime/cuda/driver.h"

namespace sinter::runtime {

/// Architecture ("sm_90a": with the suffix where architecture-specific instructions exist),
/// multiprocessors, shared memory, and rates for ranking.
codegen::Target read_target(const DriverApi& api, CudaDevice device);

}  // namespace sinter::runtime
