// Computed outputs against the reference, element by element or by a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/compare.h"

namespace sinter::runtime {

/// `wanted` row-major numbers below `count`, from every region and the last among them; all where
/// wanted is 0 or not below count. Another `seed` gives others.
std::vector<std::int64_t> sample_indices(std::int64_t count, std::int64_t wanted,
                                         std::uint64_t seed = 0);

/// Which elements of an output the reference evaluates.
struct SampleOptions {
  std::int64_t elements = 0;  // of each output; 0: all
  /// About so often an element is visited (reference::ReferenceOutput::visits); 0: no limit. Where `elements`
  /// from all regions cost more, they lie in fewer lines along the last dimension if those of a line share
  /// what they need; else there are fewer. One is evaluated whatever it costs.
  std::int64_t most_visits = 0;
  std::uint64_t seed = 0;
};

/// A sample of output number `output` of `graph` (as traced), evaluated on all cores.
reference::ReferenceOutput evaluate_sample(const ir::Graph& graph,
                                           std::span<const reference::HostTensor> inputs,
                                           std::size_t output,
                                           const reference::EvaluateOptions& options,
                                           const SampleOptions& sample);

/// One verdict an output of `graph` (as traced). `inputs` and `outputs` lie in host memory, in the graph's
/// order; see sample_indices for `elements` and `seed`.
std::vector<reference::Comparison> compare_outputs(const ir::Graph& graph,
                                                   std::span<const reference::HostTensor> inputs,
                                                   std::span<const reference::HostTensor> outputs,
                                                   const reference::EvaluateOptions& options,
                                                   std::int64_t elements, std::uint64_t seed = 0);

}  // namespace sinter::runtime
