// Compiles and runs one Kernel on the first GPU.
#pragma once

#include <map>
#include <string>

#include "codegen/schedule.h"
#include "ir/kernel.h"
#include "runtime/device_impl.h"
#include "tests/support/kernel_interpreter.h"

namespace sinter::tests {

struct GpuRun {
  std::size_t facts_class = 0;  // of the schedule; generic: 0 narrow, 1 contiguous, 2 anything
  std::int64_t team = 1;
  /// Another schedule than generic, by its config.
  std::optional<codegen::Config> config = {};
  bool is_spread = false;  // every stride twice what it could be and negative; class 2 only
};

/// The first GPU; null where there is none, with the reason.
runtime::DeviceImpl* first_gpu(std::string* why_none);

/// Outputs of the kernel for inputs in host memory.
std::map<std::string, BitsTensor> run_on_gpu(const ir::Kernel& kernel,
                                             const std::map<std::string, std::int64_t>& sizes,
                                             const std::map<std::string, BitsTensor>& inputs,
                                             const GpuRun& options = {});

/// Inputs of whole numbers from -2 to 2: their sums are exact in every order.
std::map<std::string, BitsTensor> whole_numbers(const ir::Kernel& kernel,
                                                const std::map<std::string, std::int64_t>& sizes);

/// Every class of the schedule that dense tensors of these sizes are in, with every config of it; those that
/// an earlier class had are left out, except in the last class. `step`: each step-th of a class only.
std::vector<GpuRun> fitting_runs(const codegen::Schedule& schedule, const ir::Kernel& kernel,
                                 const std::map<std::string, std::int64_t>& sizes,
                                 const codegen::Target& target, std::size_t step = 1);

struct ConfigChecks {
  std::size_t step = 1;    // each step-th config of a class
  bool is_spread = false;  // once more with tensors of any strides, which the last class takes
  double tolerance = 0;    // relative to the value or 1; 0: whole numbers and equal values
};
/// Configs of every class that dense tensors of these sizes are in, of the graph's one kernel in this schedule,
/// against the interpreter of kernels. Skips without a GPU.
void check_configs_on_gpu(const std::string& schedule, const std::string& graph_text,
                          const std::map<std::string, std::int64_t>& sizes,
                          const ConfigChecks& checks = {});

/// Runs tests/cuda/kernels/<name>.kernel with random inputs; fails unless the GPU's bits are those
/// of the interpreter, or, with a tolerance, unless values are that close to each other relative to
/// the largest of the output.
void check_gpu_kernel(const std::string& name, const std::map<std::string, std::int64_t>& sizes,
                      const GpuRun& options = {}, double tolerance = 0);

}  // namespace sinter::tests
