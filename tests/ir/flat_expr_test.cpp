// Flat expressions against evaluate().
#include "ir/flat_expr.h"

#include <doctest/doctest.h>

#include "sinter/error.h"
#include "tests/ir/symbols.h"
#include "tests/support/random.h"

using namespace sinter;
using ir::FlatExpr;
using ir::IndexExpr;

namespace {

using tests::symbols::kSizeNames;
using tests::symbols::m;
using tests::symbols::n;

IndexExpr random_expr(tests::Random& random, int depth) {
  if (depth == 0)
    return random.chance(0.4) ? IndexExpr(random.between(-5, 9)) : random.chance(0.5) ? m : n;
  const IndexExpr a = random_expr(random, depth - 1);
  const IndexExpr b = random_expr(random, depth - 1);
  switch (random.below(7)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return ir::min(a, b);
    case 4: return ir::max(a, b);
    case 5: return ir::floor_div(a, random.between(1, 7));
    default: return ir::mod(a, n * n + 1);
  }
}

}  // namespace

TEST_CASE("a flat expression gives what the expression gives") {
  tests::Random random(11);
  for (int round = 0; round < 500; ++round) {
    const IndexExpr expr = random_expr(random, static_cast<int>(random.below(5)));
    const std::int64_t sizes[] = {random.below(20), random.below(20)};
    CAPTURE(ir::to_string(expr));

    const std::int64_t expected = ir::evaluate(expr, {{{"m", sizes[0]}, {"n", sizes[1]}}, {}, {}});

    CHECK(FlatExpr(expr, kSizeNames).evaluate(sizes) == expected);
  }
}

TEST_CASE("sums of many terms need no fixed room") {
  IndexExpr sum = 0;
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) {
    names.push_back("s" + std::to_string(i));
    sum = sum + IndexExpr::size(names.back()) * 2;
  }
  CHECK(FlatExpr(sum, names).evaluate(std::vector<std::int64_t>(100, 3)) == 600);
}

TEST_CASE("a product with a zero is zero, other overflows are refused") {
  const std::int64_t zero[] = {0, std::int64_t{1} << 62};
  const std::int64_t huge[] = {4, std::int64_t{1} << 62};

  CHECK(FlatExpr(m * n * n, kSizeNames).evaluate(zero) == 0);
  CHECK_THROWS_AS(FlatExpr(m * n, kSizeNames).evaluate(huge), UserError);
}

TEST_CASE("no expression is 0, a missing size is named, an axis is ours to avoid") {
  CHECK(FlatExpr().evaluate({}) == 0);
  CHECK_THROWS_WITH_AS(FlatExpr(IndexExpr::size("k"), kSizeNames), "the size 'k' has no value",
                       UserError);
  CHECK_THROWS_AS(FlatExpr(IndexExpr::axis(0), kSizeNames), InternalError);
}
