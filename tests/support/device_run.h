// Runs a Graph on a device with random inputs, for differential tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "reference/evaluate.h"
#include "sinter/compile.h"
#include "tests/support/check_counts.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_inputs.h"

namespace sinter::tests {

/// One dense, row-major tensor a graph output.
using DeviceOutputs = std::vector<std::vector<std::byte>>;

/// What compile_text gives for the graph's text, but variants are only compiled where a call needs them.
Executable compile_lazily(const ir::Graph& graph, const Device& device,
                          const CompileOptions& options = {});

/// From outermost to innermost, which dimension of an output lies where in memory; empty: row-major.
using OutputOrder = std::vector<std::size_t>;

/// Runs once; see run_on_device. `orders`: of the outputs, all row-major where it is empty.
DeviceOutputs run_executable(const Executable& op, const std::vector<RandomInput>& inputs,
                             std::int64_t* longest_chain = nullptr,
                             const std::vector<OutputOrder>& orders = {});

/// Compiles what this call needs and runs once. Outputs are poisoned before; guard zones around each are checked after:
/// a byte written outside throws std::runtime_error. `*longest_chain`: roundings that one term of a
/// sum went through at most, 0 where a kernel does not tell.
DeviceOutputs run_on_device(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                            const Device& device, const CompileOptions& options = {},
                            std::int64_t* longest_chain = nullptr);

/// Runs and compares: empty where all is well, else what differs or which error was thrown, so that
/// one bad graph does not hide the others.
std::string check_on_device(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                            const Device& device, const CompileOptions& options,
                            CheckCounts* counts);

/// The same for an executable of `graph`.
std::string check_executable(const Executable& op, const std::vector<RandomInput>& inputs,
                             const CompileOptions& options, CheckCounts* counts);

/// Empty where all outputs agree with the reference of these options, else what differs. Vacuous
/// bounds are counted in `*counts`, not refused: random graphs cancel at will.
std::string compare_with_reference(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                                   const DeviceOutputs& outputs, CheckCounts* counts,
                                   const reference::EvaluateOptions& options = {});

/// A hash of all bits, with every NaN counted as the same: equal for equal results.
std::string hash_outputs(const ir::Graph& graph, const DeviceOutputs& outputs);

/// The inputs that go with a random graph, all layouts and value families.
std::vector<RandomInput> inputs_of(const RandomGraph& random);

}  // namespace sinter::tests
