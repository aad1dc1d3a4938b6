// Random Graphs over the operators of ops.def, for tests that compare two ways of evaluating them.
// The same seed gives the same graph everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

struct RandomGraphOptions {
  /// Operators besides leaves and the broadcasts that fit operands together: 1 to this many.
  int most_nodes = 12;
  /// Elements of any tensor, for the sizes that are drawn.
  std::int64_t most_elements = 20000;
  /// Multiplications of one matmul.
  std::int64_t most_products = 200000;
  bool scans = true;
  /// Reductions and scans with a Function.
  bool functions = true;
  /// What parameters and casts draw from (comparisons give bool, sums i64 all the same); none: all,
  /// f32, bf16, f16 and i32 most often.
  std::vector<ir::DType> dtypes;
};

struct RandomGraph {
  std::uint64_t seed = 0;
  ir::Graph graph;
  /// Numbers for the graph's named dimensions.
  std::map<std::string, std::int64_t> sizes;
};

/// A well-formed graph with 1 to 3 outputs; dimensions are numbers and names, among them 0, 1,
/// primes, powers of two and their neighbours.
RandomGraph make_random_graph(std::uint64_t seed, const RandomGraphOptions& options = {});

/// Seed, sizes and text: what a failing test prints.
std::string describe(const RandomGraph& random);

}  // namespace sinter::tests
