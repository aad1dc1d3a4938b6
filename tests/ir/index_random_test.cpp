// Random index expressions: the normal form, simplification and proofs against brute force.
#include <doctest/doctest.h>

#include <random>

#include "ir/index_expr.h"
#include "ir/text.h"

namespace sinter::ir {

namespace {

constexpr std::int64_t kAxisExtent = 6;  // of axis 0; axis 1 runs over n

/// An expression and the same tree as a plain function, so that evaluate() is checked too.
struct Pair {
  IndexExpr expr;
  std::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t)> value;  // (n, i, j)
};

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  return b == 0 ? 0 : (a - ((a % b) + b) % b) / b;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Pair make(int depth) {
    if (depth == 0) return make_leaf();
    const int kind = pick(0, 6);
    if (kind <= 2) return make_sum(make(depth - 1), make(depth - 1));
    if (kind <= 4) return make_division(make(depth - 1), kind == 3);
    return make_choice(make(depth - 1), make(depth - 1), kind == 5);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  Pair make_leaf() {
    switch (pick(0, 3)) {
      case 0: return {IndexExpr::size("n"), [](auto n, auto, auto) { return n; }};
      case 1: return {IndexExpr::axis(0), [](auto, auto i, auto) { return i; }};
      case 2: return {IndexExpr::axis(1), [](auto, auto, auto j) { return j; }};
      default: break;
    }
    const std::int64_t number = pick(-3, 9);
    return {number, [number](auto, auto, auto) { return number; }};
  }

  Pair make_sum(const Pair& a, const Pair& b) {
    const std::int64_t factor = pick(-4, 6);
    return {a.expr * factor + b.expr,
            [=](auto n, auto i, auto j) { return a.value(n, i, j) * factor + b.value(n, i, j); }};
  }

  Pair make_division(const Pair& a, bool is_floor) {
    const std::int64_t factor = pick(1, 12);
    const bool is_symbolic = pick(0, 2) == 0;
    const IndexExpr divisor = is_symbolic ? factor * IndexExpr::size("n") : IndexExpr(factor);
    return {is_floor ? floor_div(a.expr, divisor) : mod(a.expr, divisor),
            [=](auto n, auto i, auto j) {
              const std::int64_t b = is_symbolic ? factor * n : factor;
              const std::int64_t x = a.value(n, i, j);
              const std::int64_t quotient = floor_of(x, b);
              return is_floor ? quotient : x - b * quotient;
            }};
  }

  Pair make_choice(const Pair& a, const Pair& b, bool is_min) {
    return {is_min ? min(a.expr, b.expr) : max(a.expr, b.expr), [=](auto n, auto i, auto j) {
              const std::int64_t x = a.value(n, i, j);
              const std::int64_t y = b.value(n, i, j);
              return is_min ? std::min(x, y) : std::max(x, y);
            }};
  }

  std::mt19937 random_;
};

IndexExpr extent(AxisId axis) { return axis == 0 ? IndexExpr(kAxisExtent) : IndexExpr::size("n"); }

/// Calls `check(n, i, j, bindings)` for all small sizes and every index in range.
template <typename Check>
void for_each_point(Check check) {
  for (std::int64_t n = 0; n <= 7; ++n) {
    for (std::int64_t i = 0; i < kAxisExtent; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        check(n, i, j,
              IndexBindings{{{"n", n}}, [=](AxisId axis) { return axis == 0 ? i : j; }, {}});
      }
    }
  }
}

/// Makes `count` expressions and gives each to `check`.
template <typename Check>
void for_each_expression(int count, Check check) {
  for (int seed = 0; seed < count; ++seed) {
    INFO("seed " << seed);
    check(Generator(static_cast<unsigned>(seed)).make(1 + seed % 4));
  }
}

}  // namespace

TEST_CASE("the normal form keeps the value") {
  for_each_expression(2000, [](const Pair& pair) {
    INFO(to_string(pair.expr));
    for_each_point([&](auto n, auto i, auto j, const IndexBindings& bindings) {
      REQUIRE(evaluate(pair.expr, bindings) == pair.value(n, i, j));
    });
  });
}

TEST_CASE("simplification keeps the value at every index that exists") {
  for_each_expression(2000, [](const Pair& pair) {
    const IndexExpr simple = simplify(pair.expr, extent);
    INFO(to_string(pair.expr), " -> ", to_string(simple));
    for_each_point([&](auto n, auto i, auto j, const IndexBindings& bindings) {
      REQUIRE(evaluate(simple, bindings) == pair.value(n, i, j));
    });
  });
}

TEST_CASE("what is proved holds") {
  int proved = 0;
  for_each_expression(2000, [&](const Pair& pair) {
    const bool nonnegative = is_provably_nonnegative(pair.expr, extent);
    const bool different = is_provably_different(pair.expr, 2);
    proved += nonnegative ? 1 : 0;
    INFO(to_string(pair.expr));
    for_each_point([&](auto n, auto i, auto j, const IndexBindings&) {
      if (nonnegative) REQUIRE(pair.value(n, i, j) >= 0);
      if (different) REQUIRE(pair.value(n, i, j) != 2);
    });
  });
  CHECK(proved > 300);
}

TEST_CASE("sizes alone print and parse back to the same expression") {
  for_each_expression(1000, [](const Pair& pair) {
    IndexSubstitution sizes;
    sizes.axis = [](AxisId axis) -> std::optional<IndexExpr> {
      return IndexExpr::size(axis == 0 ? "p" : "q");
    };
    const IndexExpr dim = substitute(pair.expr, sizes);

    REQUIRE_MESSAGE(parse_dim(to_string(dim)) == dim, to_string(dim));
  });
}

}  // namespace sinter::ir
