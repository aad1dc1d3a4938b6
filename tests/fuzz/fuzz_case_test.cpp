// Fuzz cases: the same for the same number, replayable from their text, covering by construction.
#include <doctest/doctest.h>

#include <set>

#include "ir/text.h"
#include "sinter/error.h"
#include "tests/support/fuzz_coverage.h"
#include "tests/support/required_use.h"

using namespace sinter;

TEST_CASE("a case is the same each time, and its text replays it") {
  for (std::uint64_t number = 0; number < 60; ++number) {
    const tests::FuzzCase fuzz = tests::make_fuzz_case(number);
    const std::string text = tests::to_string(fuzz);
    CAPTURE(text);

    const tests::FuzzCase back = tests::parse_fuzz_case("# a comment\n" + text);

    CHECK(tests::to_string(tests::make_fuzz_case(number)) == text);
    CHECK(tests::to_string(back) == text);
    const auto inputs = tests::inputs_of(fuzz);
    const auto again = tests::inputs_of(back);
    for (std::size_t i = 0; i < inputs.size(); ++i) CHECK(inputs[i].storage == again[i].storage);
  }
}

TEST_CASE("a text that is no case says so") {
  CHECK_THROWS_WITH_AS(tests::parse_fuzz_case("seed 1\n"), "the case holds no graph", UserError);
  CHECK_THROWS_WITH_AS(tests::parse_fuzz_case("sead 1\ngraph g() {}"),
                       "'sead 1' is no line of a case: seed, size, input or a graph is needed",
                       UserError);
  CHECK_THROWS_WITH_AS(
      tests::parse_fuzz_case("input x0 dense special\ngraph g() {}"),
      "'input x0 dense special' names no layout and values: input x0 transposed special",
      UserError);
}

TEST_CASE("the first round of required uses has every dtype of every operator") {
  std::set<std::pair<ir::Op, DType>> pairs;
  for (const tests::RequiredUse& use : tests::all_required_uses())
    pairs.insert({use.op, use.dtype});
  std::set<std::pair<ir::Op, DType>> first;
  for (const auto& use : tests::all_required_uses().first(pairs.size())) {
    first.insert({use.op, use.dtype});
  }
  CHECK(first == pairs);

  std::set<ir::Op> ops;
  for (const auto& [op, dtype] : pairs) ops.insert(op);
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (row.level == ir::OpLevel::Kernel || row.op == ir::Op::Parameter) continue;
    CHECK_MESSAGE(ops.contains(row.op), row.text);
  }
}

TEST_CASE("a case holds its required uses, on the layouts that they name") {
  for (std::uint64_t number = 0; number < 100; ++number) {
    const tests::FuzzCase fuzz = tests::make_fuzz_case(number);
    CAPTURE(tests::to_string(fuzz));
    tests::FuzzCoverage coverage;
    coverage.add(fuzz);

    const auto all = static_cast<std::int64_t>(tests::all_required_uses().size());

    CHECK(coverage.missing_uses() <= all - 2);
  }
}
