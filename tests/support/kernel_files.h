// The hand-written kernels that CUDA schedules are tried on, and what the tests need around them.
#pragma once

#include <string>
#include <vector>

#include "codegen/schedule.h"
#include "ir/kernel.h"

namespace sinter::tests {

/// Names of tests/cuda/kernels/*.kernel, and of those in tests/ir/kernels, sorted.
std::vector<std::string> cuda_kernel_names();
/// The kernel of that name from either folder.
ir::Kernel read_kernel(const std::string& name);
/// The CUDA schedule of this name.
const codegen::Schedule& cuda_schedule(const std::string& name);
/// The one kernel that CUDA's schedules for an H200 make of a graph's text.
ir::Kernel fused_kernel(const std::string& graph_text);
/// Empty where NVRTC can be used; else why not.
std::string why_no_nvrtc();
/// Of sm_80, sm_90a and sm_100a those that the NVRTC at hand compiles for.
std::vector<std::string> test_architectures();

}  // namespace sinter::tests
