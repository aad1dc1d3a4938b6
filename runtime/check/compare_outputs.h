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

/// One verdict an output of `graph` (as traced). `inputs` and `outputs` lie in host memory, in the graph's
/// order; see sample_indices for `elements` and `seed`.
std::vector<reference::Comparison> compare_outputs(const ir::Graph& graph,
                                                   std::span<const reference::HostTensor> inputs,
                                                   std::span<const reference::HostTensor> outputs,
                                                   const reference::EvaluateOptions& options,
                                                   std::int64_t elements, std::uint64_t seed = 0);

}  // namespace sinter::runtime
