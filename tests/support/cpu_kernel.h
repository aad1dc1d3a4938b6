// Compiles and runs one Kernel on the CPU, on tensors of any layout.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/schedule.h"
#include "tests/support/kernel_interpreter.h"

namespace sinter::tests {

/// How a tensor lies in memory.
enum class CpuLayout {
  Dense,
  Padded,      // unit stride in the last dimension, gaps between rows
  Transposed,  // the first dimension is the fastest
  Spread,      // every stride is twice what it could be
  Reversed,    // every stride is negative
};

struct CpuRun {
  std::string schedule = "generic";
  /// Which of the schedule's classes; -1: the first that the layouts satisfy.
  int facts_class = -1;
  std::map<std::string, CpuLayout> layouts;  // others are dense
  /// False: code for a CPU without special instructions.
  bool has_features = true;
};

/// Outputs of the kernel, run through the CPU backend. Fails where anything but the outputs'
/// elements is written.
std::map<std::string, BitsTensor> run_on_cpu(const ir::Kernel& kernel,
                                             const std::map<std::string, std::int64_t>& sizes,
                                             const std::map<std::string, BitsTensor>& inputs,
                                             const CpuRun& options = {});

/// The CPU's schedule of this name.
const codegen::Schedule& cpu_schedule(const std::string& name);

/// The program that run_on_cpu compiles, for tests of its text.
codegen::Program cpu_program(const ir::Kernel& kernel, const std::string& schedule,
                             const ir::Facts& facts, const codegen::Target& target);

/// Random values of the type that are worth trying: small, large, whole, special ones.
BitsTensor random_tensor(ir::DType dtype, std::vector<std::int64_t> extents, std::uint64_t seed,
                         bool has_specials = false);

/// Number of elements that differ in their bits (NaN equals NaN); prints the first.
std::size_t count_differences(const BitsTensor& actual, const BitsTensor& expected);

/// Runs the kernel with random inputs, on the CPU and by the interpreter, and fails unless the bits
/// agree (or the values within `tolerance`, relative to the largest, where it is not 0).
void check_cpu_kernel(const std::string& text, const std::map<std::string, std::int64_t>& sizes,
                      const CpuRun& options = {}, double tolerance = 0);
void check_cpu_kernel(const ir::Kernel& kernel, const std::map<std::string, std::int64_t>& sizes,
                      const std::map<std::string, BitsTensor>& inputs, const CpuRun& options = {},
                      double tolerance = 0);
/// Random inputs for all In parameters.
std::map<std::string, BitsTensor> random_inputs(const ir::Kernel& kernel,
                                                const std::map<std::string, std::int64_t>& sizes,
                                                std::uint64_t seed, bool has_specials = false);

}  // namespace sinter::tests
