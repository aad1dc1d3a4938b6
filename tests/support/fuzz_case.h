// One case of the differential fuzzer: a graph, its sizes, and how its inputs are laid out and filled.
// Its text replays it:
//
//   # comments
//   seed 17
//   size n 5
//   input x0 transposed special
//   graph random_17(%x0: f32[n, 3]) {
//   ...
#pragma once

#include <string>
#include <string_view>

#include "tests/support/random_graph.h"
#include "tests/support/random_inputs.h"

namespace sinter::tests {

struct FuzzCase {
  /// Of the inputs' numbers.
  std::uint64_t seed = 0;
  ir::Graph graph;
  std::map<std::string, std::int64_t> sizes;
  /// One a parameter.
  std::vector<InputKind> kinds;
};

/// Case `number`: it begins with the uses 2 * number and 2 * number + 1 of all_required_uses(), counted
/// round. The same number gives the same case on every machine.
FuzzCase make_fuzz_case(std::uint64_t number);
/// Cases that have every required use.
std::uint64_t full_fuzz_count();

std::vector<RandomInput> inputs_of(const FuzzCase& fuzz);

std::string to_string(const FuzzCase& fuzz);
/// UserError where the text is none.
FuzzCase parse_fuzz_case(std::string_view text);

}  // namespace sinter::tests
