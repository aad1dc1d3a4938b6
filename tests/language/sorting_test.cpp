// Sorting against the standard library's stable sort, with NaN and equal elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/language/run_operator.h"

namespace sinter::tests {

namespace {

constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();

SINTER_OP(risen, (Tensor x)) { return {sort(x), argsort(x), sort(x, 0), argsort(x, 0)}; }
SINTER_OP(fallen, (Tensor x)) { return {sort(x, -1, true), argsort(x, -1, true)}; }
SINTER_OP(largest, (Tensor x)) {
  const TopK top = topk(x, 3);
  return {top.values, top.indices};
}
SINTER_OP(smallest, (Tensor x)) {
  const TopK top = topk(x, 3, -1, false);
  return {top.values, top.indices};
}
SINTER_OP(searched, (Tensor sorted, Tensor x)) {
  return {searchsorted(sorted, x), searchsorted(sorted, x, true)};
}

/// The indices that sort the row: stable, NaN last, or first where `nan_first`.
std::vector<std::int64_t> sorted_indices(const std::vector<float>& row, bool descending,
                                         bool nan_first = false) {
  std::vector<std::int64_t> indices(row.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::int64_t i, std::int64_t j) {
    const float a = row[static_cast<std::size_t>(i)];
    const float b = row[static_cast<std::size_t>(j)];
    if (std::isnan(a) || std::isnan(b)) {
      return nan_first ? std::isnan(a) && !std::isnan(b) : !std::isnan(a) && std::isnan(b);
    }
    return descending ? a > b : a < b;
  });
  return indices;
}

/// The same elements, NaN and signs of zeros included.
bool is_same(const std::vector<float>& a, const std::vector<float>& row,
             const std::vector<std::int64_t>& indices) {
  if (a.size() != indices.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float b = row[static_cast<std::size_t>(indices[i])];
    const bool both_nan = std::isnan(a[i]) && std::isnan(b);
    if (!both_nan && (a[i] != b || std::signbit(a[i]) != std::signbit(b))) return false;
  }
  return true;
}

/// Small whole numbers, so that many are equal; some NaN, zeros of both signs.
std::vector<float> random_row(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<float> row(count);
  for (float& x : row) {
    x = static_cast<float>(generator() % 9) - 4;
    if (x == 4) x = kFloatNan;
    if (x == 0 && generator() % 2 == 0) x = -0.0F;
  }
  return row;
}

const std::vector<TensorSpec> kRows{f32("n", "m")};

}  // namespace

TEST_CASE("sort and argsort are stable and put NaN last, in both orders") {
  for (const std::size_t count : {1, 2, 7, 33}) {
    const std::vector<float> row = random_row(count, 5);
    const Array<float> x{{1, static_cast<std::int64_t>(count)}, row};
    for (const bool descending : {false, true}) {
      const Operator& op = descending ? fallen : risen;
      const auto expected = sorted_indices(row, descending);

      CHECK(run_operator<std::int64_t>(op, kRows, 1, x).values == expected);
      CHECK(is_same(run_operator<float>(op, kRows, 0, x).values, row, expected));
    }
  }
}

TEST_CASE("sorting along another axis, and of nothing") {
  const Array<float> x{{2, 3}, {5, 1, 6, 4, 2, 6}};

  CHECK(run_operator<float>(risen, kRows, 2, x).values == std::vector<float>{4, 1, 6, 5, 2, 6});
  CHECK(run_operator<std::int64_t>(risen, kRows, 3, x).values ==
        std::vector<std::int64_t>{1, 0, 0, 0, 1, 1});
  CHECK(run_operator<float>(risen, kRows, 0, Array<float>{{2, 0}, {}}).values.empty());
}

TEST_CASE("topk counts NaN as the extreme, as max and min do") {
  const std::vector<float> row{2, kFloatNan, 5, 5, -1, kFloatNan, 7};
  const Array<float> x{{1, 7}, row};

  for (const bool is_largest : {true, false}) {
    const Operator& op = is_largest ? largest : smallest;
    auto expected = sorted_indices(row, is_largest, true);
    expected.resize(3);

    CHECK(run_operator<std::int64_t>(op, kRows, 1, x).values == expected);
    CHECK(is_same(run_operator<float>(op, kRows, 0, x).values, row, expected));
  }
}

TEST_CASE("topk of fewer elements than asked for is refused, when compiled or called") {
  CHECK_THROWS_WITH_AS(largest.trace({f32(4, 2)}), doctest::Contains("there are no 3 elements"),
                       UserError);
  CHECK_THROWS_WITH_AS(run_operator<float>(largest, kRows, 0, Array<float>{{1, 2}, {1, 2}}),
                       doctest::Contains("3 <= m"), UserError);
}

TEST_CASE("searchsorted counts what comes before, with NaN at the end") {
  const Array<float> sorted{{6}, {1, 2, 2, 4, kFloatNan, kFloatNan}};
  const Array<float> x{{5}, {0, 2, 3, 9, kFloatNan}};
  const std::vector<TensorSpec> specs{f32("n"), f32("k")};

  CHECK(run_operator<std::int64_t>(searched, specs, 0, sorted, x).values ==
        std::vector<std::int64_t>{0, 1, 3, 4, 4});
  CHECK(run_operator<std::int64_t>(searched, specs, 1, sorted, x).values ==
        std::vector<std::int64_t>{0, 3, 3, 4, 6});
}

TEST_CASE("searchsorted searches each row of a batch for its own values") {
  const Array<float> sorted{{2, 3}, {1, 2, 3, 10, 20, 30}};
  const Array<float> x{{2, 2}, {2, 5, 2, 25}};

  CHECK(run_operator<std::int64_t>(searched, {f32("b", "n"), f32("b", "k")}, 0, sorted, x).values ==
        std::vector<std::int64_t>{1, 3, 0, 2});
  CHECK_THROWS_WITH_AS(searched.trace({f32(2, 3), f32(4)}),
                       doctest::Contains("of the rank of the values"), UserError);
  CHECK_THROWS_WITH_AS(searched.trace({f32(3), f64(4)}), doctest::Contains("cast operand 0 to f64"),
                       UserError);
}

}  // namespace sinter::tests
