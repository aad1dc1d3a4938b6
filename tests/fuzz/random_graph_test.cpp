// Random graphs are well-formed, print and parse back, and come out the same for the same seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "ir/text.h"
#include "ir/verify.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_inputs.h"

using namespace sinter;

TEST_CASE("random graphs verify, print and parse back equal") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto random = tests::make_random_graph(seed);
    CAPTURE(tests::describe(random));

    REQUIRE_NOTHROW(ir::verify_graph(random.graph));
    const std::string text = ir::to_string(random.graph);
    REQUIRE(ir::parse_graph(text) == random.graph);
    REQUIRE(text == ir::to_string(tests::make_random_graph(seed).graph));
  }
}

TEST_CASE("random graphs use every operator that graphs may hold") {
  std::set<ir::Op> used;
  const auto is_used = [&](const ir::OpInfo& row) {
    return used.contains(row.op) || row.level == ir::OpLevel::Kernel;
  };
  const auto rows = ir::all_ops();
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    if (std::all_of(rows.begin(), rows.end(), is_used)) break;
    const auto random = tests::make_random_graph(seed);
    for (const ir::Node& node : random.graph.nodes()) used.insert(node.op);
  }

  for (const ir::OpInfo& row : rows) {
    CAPTURE(row.text);
    CHECK(is_used(row));
  }
}

TEST_CASE("random inputs fit their parameters in every layout") {
  using tests::Layout;
  const auto random = tests::make_random_graph(8);
  for (const Layout layout : {Layout::Contiguous, Layout::Transposed, Layout::Sliced,
                              Layout::Expanded, Layout::Reversed, Layout::Misaligned}) {
    const auto inputs = tests::make_inputs(random.graph, random.sizes, 1, layout);
    REQUIRE(inputs.size() == random.graph.parameters().size());
    for (const auto& input : inputs) {
      const auto* begin = static_cast<const std::byte*>(input.tensor.data);
      CHECK(begin == input.storage.data() + input.byte_offset);
    }
  }
}
