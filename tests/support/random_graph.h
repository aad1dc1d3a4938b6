// Random Graphs over the operators of ops.def, for tests that compare two ways of evaluating them.
// The same seed gives the same graph everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "tests/support/random_inputs.h"

namespace sinter::tests {

/// An operator whose first operand (leaves: result) has this dtype and is an input in this layout.
struct RequiredUse {
  ir::Op op = ir::Op::None;
  DType dtype = DType::F32;
  Layout layout = Layout::Contiguous;
};

struct RandomGraphOptions {
  /// Operators besides leaves and the broadcasts that fit operands together: 1 to this many, after
  /// the required ones.
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
  /// What the graph begins with, each on a parameter of its own.
  std::vector<RequiredUse> required;
};

struct RandomGraph {
  std::uint64_t seed = 0;
  ir::Graph graph;
  /// Numbers for the graph's named dimensions.
  std::map<std::string, std::int64_t> sizes;
  /// Of the parameters that a required use names one for.
  std::map<std::string, Layout> layouts;
};

/// A well-formed graph whose outputs are what nothing else uses, and maybe more; dimensions are numbers
/// and names, among them 0, 1, primes, powers of two and their neighbours.
RandomGraph make_random_graph(std::uint64_t seed, const RandomGraphOptions& options = {});

/// Seed, sizes and text: what a failing test prints.
std::string describe(const RandomGraph& random);

}  // namespace sinter::tests
