// Corners of the language, as graphs that every backend has to get right.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinter/compile.h"
#include "tests/support/random_inputs.h"

namespace sinter::tests {

struct EdgeGraph {
  std::string name;
  std::string text;
  std::map<std::string, std::int64_t> sizes;
  Values values = Values::Special;
};

/// Shifts and integer division by anything, rank 8, reductions over no axes, extents of 0, scans of
/// one element, f8e5m2 infinities.
std::vector<EdgeGraph> edge_graphs();
/// Casts from each dtype to each, and back.
std::vector<EdgeGraph> cast_graphs();

/// Runs with these options on dense inputs and on two other layouts; empty where all agree with the
/// reference.
std::string check_edge_graph(const EdgeGraph& edge, const Device& device,
                             const CompileOptions& options = {});

/// All edge graphs in this mode, fused and not, rounding outputs only and each operator.
std::string check_edge_graphs(const Device& device, Mode mode);

}  // namespace sinter::tests
