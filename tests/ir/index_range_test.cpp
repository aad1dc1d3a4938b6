// Index expressions: simplification with axis ranges, proofs, queries, substitution.
#include <doctest/doctest.h>

#include "ir/index_expr.h"
#include "sinter/error.h"
#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::i;
using tests::symbols::j;
using tests::symbols::m;
using tests::symbols::n;
const IndexExpr b = IndexExpr::size("b");

/// Axis 0 runs over m, axis 1 over n.
IndexExpr symbol_extent(AxisId axis) { return axis == 0 ? m : n; }

}  // namespace

TEST_CASE("rows and columns of a flattened index are found again") {
  const IndexExpr flat = i * n + j;

  CHECK(simplify(floor_div(flat, n), symbol_extent) == i);
  CHECK(simplify(mod(flat, n), symbol_extent) == j);
  CHECK(simplify(floor_div(flat, m * n), symbol_extent) == 0);
  CHECK(simplify(mod(flat, m * n), symbol_extent) == flat);
  CHECK(simplify(floor_div(flat, b * n), symbol_extent) == floor_div(i, b));
  CHECK(simplify(mod(flat, b * n), symbol_extent) == n * mod(i, b) + j);
}

TEST_CASE("reversed and shifted axes keep their range") {
  CHECK(simplify(mod(n - 1 - j, n), symbol_extent) == n - 1 - j);
  CHECK(simplify(floor_div(n - 1 - j + 2 * n, n), symbol_extent) == 2);
  CHECK(simplify(floor_div(j - n, n), symbol_extent) == -1);
  CHECK(simplify(mod(j + 1, n), symbol_extent) == mod(j + 1, n));
}

TEST_CASE("divisors of an index map are positive") {
  CHECK(simplify(floor_div(m * n, n), symbol_extent) == m);
  CHECK(simplify(floor_div(i * n * b, b * n), symbol_extent) == i);
}

TEST_CASE("minima and maxima of comparable expressions are decided") {
  CHECK(simplify(min(j, n - 1), symbol_extent) == j);
  CHECK(simplify(max(j, 0), symbol_extent) == j);
  CHECK(simplify(max(j - n, 0), symbol_extent) == 0);
  CHECK(simplify(min(i, j), symbol_extent) == min(i, j));
}

TEST_CASE("what holds for every size and axis is proved") {
  CHECK(is_provably_nonnegative(m * n - 1 - i * n - j, symbol_extent));
  CHECK(is_provably_nonnegative(8 * floor_div(n + 7, 8) - n, {}));
  CHECK(is_provably_positive(max(n, 1), {}));
  CHECK(is_provably_nonnegative(n - 1 - floor_div(i, 4), [](AxisId) { return 4 * n; }));
  CHECK(is_provably_nonnegative(n - min(n, m), {}));
  CHECK(is_provably_nonnegative(j - 3 * floor_div(j, 3), symbol_extent));
  CHECK(is_provably_nonnegative(n - 1, [](AxisId) { return n; }) == false);
  CHECK(is_provably_nonnegative(n - 1 + 0 * j + floor_div(j, 2), symbol_extent));
}

TEST_CASE("what fails for some size is not proved") {
  CHECK_FALSE(is_provably_positive(n, {}));
  CHECK_FALSE(is_provably_nonnegative(n - m, {}));
  CHECK_FALSE(is_provably_nonnegative(n - 2 - j, symbol_extent));
  CHECK_FALSE(is_provably_nonnegative(IndexExpr::value({0, 0}), symbol_extent));
  CHECK_FALSE(is_provably_positive(floor_div(n + 7, 8), {}));
}

TEST_CASE("difference is proved by sign or by divisibility") {
  CHECK(is_provably_different(n, n + 1));
  CHECK(is_provably_different(2 * n, 2 * m + 1));
  CHECK_FALSE(is_provably_different(n, m));
  CHECK_FALSE(is_provably_different(n, 5));
  CHECK(is_provably_different(n, -1));
}

TEST_CASE("linear coefficients are found, hidden axes are not") {
  CHECK(coefficient_of(i * n + j + 3, 0) == n);
  CHECK(coefficient_of(j, 0) == IndexExpr(0));
  CHECK(coefficient_of(i * j, 0) == j);
  CHECK_FALSE(coefficient_of(i * i, 0));
  CHECK_FALSE(coefficient_of(floor_div(i, 2), 0));
}

TEST_CASE("affine maps are linear in every axis and hold no value") {
  CHECK(is_affine(i * n + 2 * j - 1));
  CHECK(is_affine(i * floor_div(n, 2)));
  CHECK_FALSE(is_affine(i * j));
  CHECK_FALSE(is_affine(mod(i, 3)));
  CHECK_FALSE(is_affine(IndexExpr::value({1, 0})));
}

TEST_CASE("substitution rebuilds the normal form") {
  IndexSubstitution four;
  four.size = [](const std::string& name) {
    return name == "n" ? std::optional<IndexExpr>(4) : std::nullopt;
  };
  IndexSubstitution swap;
  swap.axis = [](AxisId axis) { return std::optional<IndexExpr>(IndexExpr::axis(1 - axis)); };

  CHECK(substitute(floor_div(8 * i + j, n), four) == 2 * i + floor_div(j, 4));
  CHECK(substitute(i - mod(j, m), swap) == j - mod(i, m));
}

TEST_CASE("names that occur are listed, also inside quotients") {
  const IndexExpr expr = floor_div(i + IndexExpr::value({7, 1}), n) * m;

  CHECK(axes_of(expr) == std::set<AxisId>{0});
  CHECK(values_of(expr) == std::set<Value>{{7, 1}});
  CHECK(sizes_of(expr) == std::set<std::string>{"m", "n"});
}

}  // namespace sinter::ir
