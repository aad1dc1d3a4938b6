// Conditions by place: the same answer as check_conditions.
#include "ir/flat_conditions.h"

#include <doctest/doctest.h>

#include "ir/text.h"
#include "sinter/error.h"
#include "tests/ir/symbols.h"

using namespace sinter;

namespace {

using tests::symbols::kSizeNames;

/// Whether a call with these sizes holds; both ways have to say the same.
bool holds(const ir::Graph& graph, std::int64_t m, std::int64_t n) {
  const std::vector<ir::Condition> conditions = ir::conditions_of(graph);
  const std::int64_t sizes[] = {m, n};
  const bool is_held = ir::FlatConditions(conditions, kSizeNames).hold(sizes);
  try {
    ir::check_conditions(graph, conditions, {{"m", m}, {"n", n}});
    CHECK(is_held);
  } catch (const UserError&) {
    CHECK_FALSE(is_held);
  }
  return is_held;
}

}  // namespace

TEST_CASE("equal dimensions are decided by place") {
  const ir::Graph graph = ir::parse_graph(
      "graph g(%x: f32[n], %y: f32[m]) {\n"
      "  %0: f32[m] = broadcast(%x) {shape: [m]}\n"
      "  return %0\n}\n");

  CHECK(holds(graph, 3, 3));
  CHECK(holds(graph, 0, 0));
  CHECK_FALSE(holds(graph, 3, 4));
  CHECK_FALSE(holds(graph, 1, 4));
}

TEST_CASE("a condition of elements that are not there is no condition") {
  const ir::IndexExpr m = ir::IndexExpr::size("m");
  const ir::IndexExpr n = ir::IndexExpr::size("n");
  const std::vector<ir::Condition> conditions = {{ir::ConditionKind::AtMost, n, 4, m, 0}};
  const ir::FlatConditions flat(conditions, kSizeNames);
  const auto hold = [&](std::int64_t m_value, std::int64_t n_value) {
    const std::int64_t sizes[] = {m_value, n_value};
    return flat.hold(sizes);
  };

  CHECK(hold(1, 4));
  CHECK_FALSE(hold(1, 5));
  CHECK(hold(0, 5));
}

TEST_CASE("a condition of a size without a place is refused") {
  const std::vector<ir::Condition> conditions = {
      {ir::ConditionKind::Equal, ir::IndexExpr::size("k"), 4, 1, 0}};

  CHECK_THROWS_WITH_AS(ir::FlatConditions(conditions, kSizeNames), "the size 'k' has no value",
                       UserError);
}
