// Shrinking: a case that fails for one reason is reduced to that reason.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/shrink.h"

using namespace sinter;

namespace {

const char* const kCase = R"(seed 3
size n 33
input x0 transposed special
input x1 reversed normal
graph g(%x0: f32[n, 17], %x1: f32[17]) {
  %0: f32[n, 17] = broadcast(%x1) {shape: [n, 17]}
  %1: f32[n, 17] = add(%x0, %0)
  %2: f32[n, 17] = exp(%1)
  %3: f32[n, 17] = mul(%2, %x0)
  %4: f32[n] = sum(%3) {axes: [1]}
  %5: f32[n, 17] = neg(%1)
  return %4, %5
}
)";

bool holds(const tests::FuzzCase& fuzz, ir::Op op) {
  for (const ir::Node& node : fuzz.graph.nodes()) {
    if (node.op == op) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("what does not matter goes: outputs, nodes, layouts, values and sizes") {
  const tests::FuzzCase small =
      tests::shrink(tests::parse_fuzz_case(kCase),
                    [](const tests::FuzzCase& fuzz) { return holds(fuzz, ir::Op::Exp); });

  CAPTURE(to_string(small));
  CHECK(small.graph.outputs().size() == 1);
  CHECK(small.graph.nodes().size() == 2);
  CHECK(small.kinds[0].layout == tests::Layout::Contiguous);
  CHECK(small.kinds[0].values == tests::Values::Integers);
  CHECK(ir::to_string(small.graph.type(small.graph.outputs()[0])) == "f32[1, 1]");
}

TEST_CASE("what matters stays: a layout, a size") {
  const auto is_reversed = [](const tests::FuzzCase& fuzz) {
    for (const tests::InputKind& kind : fuzz.kinds) {
      if (kind.layout == tests::Layout::Reversed && fuzz.sizes.at("n") > 4) return true;
    }
    return false;
  };

  const tests::FuzzCase small = tests::shrink(tests::parse_fuzz_case(kCase), is_reversed);

  CHECK(is_reversed(small));
  CHECK(small.sizes.at("n") == 5);
  CHECK(small.graph.parameters().size() == 1);
}

TEST_CASE("a case that nothing makes smaller, or with no attempts, stays as it is") {
  const tests::FuzzCase fuzz = tests::parse_fuzz_case(kCase);

  CHECK(to_string(tests::shrink(fuzz, [](const auto&) { return false; })) == to_string(fuzz));
  CHECK(to_string(tests::shrink(
            fuzz, [](const auto&) { return true; }, 0)) == to_string(fuzz));
}
