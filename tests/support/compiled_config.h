// A config of a CUDA schedule, compiled without a GPU.
#pragma once

#include <string>
#include <vector>

#include "codegen/schedule.h"
#include "runtime/cuda/cubin.h"

namespace sinter::tests {

/// Checks that the config's kernels compile without a word from NVRTC and use no local memory; what they need.
/// The schedule sees the target of `arch` as it usually is.
std::vector<runtime::EntryResources> check_config_compiles(const codegen::Schedule& schedule,
                                                           const ir::Kernel& kernel,
                                                           const ir::Facts& facts,
                                                           const codegen::Config& config,
                                                           const std::string& arch);

}  // namespace sinter::tests
