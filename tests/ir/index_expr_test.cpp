// Index expressions: normal form, division, printing, evaluation.
#include "ir/index_expr.h"

#include <doctest/doctest.h>

#include "sinter/error.h"
#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::i;
using tests::symbols::j;
using tests::symbols::m;
using tests::symbols::n;

}  // namespace

TEST_CASE("equal polynomials compare equal") {
  CHECK((n + m) * (n - m) == n * n - m * m);
  CHECK(n + m - n == m);
  CHECK(n - n == 0);
  CHECK(2 * n != n);
  CHECK((n * 0).is_constant());
}

TEST_CASE("expressions print in normal form") {
  CHECK(to_string(1 + 2 * n) == "2*n + 1");
  CHECK(to_string(7 - i) == "-i0 + 7");
  CHECK(to_string(m * n * n - 1) == "m*n*n - 1");
  CHECK(to_string(IndexExpr(0)) == "0");
  CHECK(to_string(floor_div(n + 1, 2 * m)) == "floor((n + 1) / (2*m))");
  CHECK(to_string(max(n, m)) == "max(m, n)");
  CHECK(to_string(IndexExpr::value({3, 1}) + mod(i, n)) == "%3.1 + mod(i0, n)");
  CHECK(to_string(Shape{n, 512, 2 * n + 1}) == "[n, 512, 2*n + 1]");
}

TEST_CASE("multiples of a number divisor leave the quotient") {
  CHECK(floor_div(12 * i + 7, 4) == 3 * i + 1);
  CHECK(mod(12 * i + 7, 4) == 3);
  CHECK(floor_div(5 * i + 9, 4) == i + 2 + floor_div(i + 1, 4));
  CHECK(floor_div(n - 1, 8) + 1 == floor_div(n + 7, 8));
  CHECK(floor_div(2 * n + 3, 4) == floor_div(n + 1, 2));
  CHECK(mod(2 * n + 3, 4) == 2 * mod(n + 1, 2) + 1);
}

TEST_CASE("nested divisions by numbers join") {
  CHECK(floor_div(floor_div(n, 3), 4) == floor_div(n, 12));
  CHECK(floor_div(floor_div(n, 8) + 1, 2) == floor_div(n + 8, 16));
  CHECK(mod(mod(i, 12), 4) == mod(i, 4));
  CHECK(floor_div(mod(i, 12), 4) == mod(floor_div(i, 4), 3));
}

TEST_CASE("a quotient and its remainder join to the dividend") {
  CHECK(3 * floor_div(i, 3) + mod(i, 3) == i);
  CHECK(12 * floor_div(i, 12) + 3 * mod(floor_div(i, 3), 4) + mod(i, 3) == i);
  CHECK(j * n * floor_div(i, n) + j * mod(i, n) == i * j);
}

TEST_CASE("a dimension may be 0, so that a symbolic divisor is not cancelled") {
  const IndexExpr quotient = floor_div(m * n, n);

  CHECK(quotient != m);
  CHECK(evaluate(quotient, {{{"m", 5}, {"n", 0}}, {}, {}}) == 0);
  CHECK(floor_div(m * (n + 1), n + 1) == m);
}

TEST_CASE("minima and maxima are flat, sorted, and free of dominated operands") {
  CHECK(max(max(n, m), i) == max(i, max(m, n)));
  CHECK(max(n, n) == n);
  CHECK(min(n, n + 1) == n);
  CHECK(max(n, 0) == n);
  CHECK(min(3, 5) == 3);
  CHECK(max(n, 1) != n);
}

TEST_CASE("a number that is not positive cannot divide") {
  CHECK_THROWS_WITH_AS(floor_div(n, 0),
                       "cannot divide n by 0: a divisor of sizes must be at least 1", UserError);
  CHECK_THROWS_AS(mod(n, -2), UserError);
}

TEST_CASE("evaluation follows the meaning of every atom") {
  const IndexBindings bindings{{{"n", 7}, {"z", 0}},
                               [](AxisId axis) { return axis == 0 ? -3 : 2; },
                               [](Value) { return 11; }};

  CHECK(evaluate(n * n - 1, bindings) == 48);
  CHECK(evaluate(floor_div(i, 2), bindings) == -2);
  CHECK(evaluate(mod(i, 2), bindings) == 1);
  CHECK(evaluate(floor_div(n, IndexExpr::size("z")), bindings) == 0);
  CHECK(evaluate(mod(n, IndexExpr::size("z")), bindings) == 7);
  CHECK(evaluate(max(n, IndexExpr::value({4, 0})), bindings) == 11);
}

TEST_CASE("evaluation refuses missing sizes and overflow") {
  CHECK_THROWS_WITH_AS(evaluate(n + 1, {}), "the size 'n' has no value", UserError);
  const IndexBindings huge{{{"n", std::int64_t{1} << 40}, {"m", 0}}, {}, {}};
  CHECK_THROWS_AS(evaluate(n * n, huge), UserError);
  CHECK(evaluate(n * n * m, huge) == 0);
}

}  // namespace sinter::ir
