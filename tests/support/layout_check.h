// Runs an operator with its tensors in every layout.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sinter/compile.h"
#include "tests/support/check_counts.h"

namespace sinter::tests {

/// Runs the graph once for each order of the dimensions of its inputs: without gaps, with gaps and an odd start,
/// backwards along the innermost dimension, and with the outermost seen again and again (stride 0); with outputs
/// that are row-major, and in the same orders. All runs share one executable. Empty where the reference agrees
/// with all, else the first trouble and its layout.
std::string check_all_layouts(const std::string& graph_text,
                              const std::map<std::string, std::int64_t>& sizes,
                              const Device& device, const CompileOptions& options,
                              CheckCounts* counts);

}  // namespace sinter::tests
