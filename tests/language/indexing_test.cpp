// Reads and writes at indices, against direct loops and numbers worked out by hand.
#include <doctest/doctest.h>

#include "tests/language/run_operator.h"

namespace sinter::tests {

namespace {

using Index = Array<std::int64_t>;

SINTER_OP(taken, (Tensor x, Tensor i)) { return {take(x, i, 0), take(x, i, -1)}; }
SINTER_OP(embedded, (Tensor table, Tensor i)) { return embedding(table, i); }
SINTER_OP(taken_along, (Tensor x, Tensor i)) { return take_along_axis(x, i, 0); }
SINTER_OP(hot, (Tensor i)) { return {one_hot(i, 3), one_hot(i, 3, DType::F32)}; }
SINTER_OP(hot_negative, (Tensor i)) { return one_hot(i, -1); }
SINTER_OP(scattered, (Tensor x, Tensor i, Tensor u)) { return scatter(x, i, u, 1); }
SINTER_OP(scatter_added, (Tensor x, Tensor i, Tensor u)) { return scatter_add(x, i, u, 1); }
SINTER_OP(rows_put, (Tensor x, Tensor i, Tensor u)) { return index_put(x, i, u); }
SINTER_OP(rows_added, (Tensor x, Tensor i, Tensor u)) { return index_add(x, i, u, 0); }
SINTER_OP(columns_added, (Tensor x, Tensor i, Tensor u)) { return index_add(x, i, u, 1); }

const Array<float> kMatrix{{2, 3}, {1, 2, 3, 4, 5, 6}};

}  // namespace

TEST_CASE("take reads slices; what is outside reads 0, negative indices too") {
  const std::vector<TensorSpec> specs{f32("n", "m"), i64("k")};
  const Index index{{4}, {1, 0, -1, 9}};

  const auto rows = run_operator<float>(taken, specs, 0, kMatrix, index);
  const auto columns = run_operator<float>(taken, specs, 1, kMatrix, index);

  CHECK(rows.shape == std::vector<std::int64_t>{4, 3});
  CHECK(rows.values == std::vector<float>{4, 5, 6, 1, 2, 3, 0, 0, 0, 0, 0, 0});
  CHECK(columns.shape == std::vector<std::int64_t>{2, 4});
  CHECK(columns.values == std::vector<float>{2, 1, 0, 0, 5, 4, 0, 0});
}

TEST_CASE("the dimensions of the index stand in the place of the axis") {
  const Array<std::int32_t> index{{2, 1}, {1, 0}};

  const auto result =
      run_operator<float>(embedded, {f32("n", 3), i32("a", "b")}, 0, kMatrix, index);
  const auto one =
      run_operator<float>(embedded, {f32("n", 3), i32()}, 0, kMatrix, Array<std::int32_t>{{}, {1}});

  CHECK(result.shape == std::vector<std::int64_t>{2, 1, 3});
  CHECK(result.values == std::vector<float>{4, 5, 6, 1, 2, 3});
  CHECK(one.values == std::vector<float>{4, 5, 6});
  CHECK_THROWS_WITH_AS(embedded.trace({f32(4), f32(2)}),
                       doctest::Contains("integer indices are needed"), UserError);
}

TEST_CASE("take_along_axis reads each column at its own indices, broadcast over the others") {
  const std::vector<TensorSpec> specs{f32("n", 3), i64("k", "c")};

  CHECK(run_operator<float>(taken_along, specs, 0, kMatrix, Index{{1, 3}, {1, 0, 1}}).values ==
        std::vector<float>{4, 2, 6});
  CHECK(run_operator<float>(taken_along, {f32("n", 3), i64("k", 1)}, 0, kMatrix,
                            Index{{2, 1}, {1, 2}})
            .values == std::vector<float>{4, 5, 6, 0, 0, 0});
  CHECK_THROWS_WITH_AS(taken_along.trace({f32(2, 3), i64(3)}),
                       doctest::Contains("indices of rank 2 are needed"), UserError);
}

TEST_CASE("one_hot has no 1 for an index outside") {
  const Index index{{4}, {2, 0, -1, 3}};
  const std::vector<std::int64_t> expected{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};

  CHECK(run_operator<std::int64_t>(hot, {i64("n")}, 0, index).values == expected);
  CHECK(run_operator<float>(hot, {i64("n")}, 1, index).values ==
        std::vector<float>(expected.begin(), expected.end()));
  CHECK_THROWS_WITH_AS(hot_negative.trace({i64("n")}), doctest::Contains("count -1 is negative"),
                       UserError);
}

TEST_CASE("scatter: the last update of a place stays, those outside go nowhere") {
  const std::vector<TensorSpec> specs{f32("n", 3), i64("n", "k"), f32("n", "k")};
  const Index index{{2, 4}, {2, 0, 2, 3, -1, 1, 1, 1}};
  const Array<float> updates{{2, 4}, {10, 20, 30, 40, 50, 60, 70, 80}};

  CHECK(run_operator<float>(scattered, specs, 0, kMatrix, index, updates).values ==
        std::vector<float>{20, 2, 30, 4, 80, 6});
  CHECK(run_operator<float>(scatter_added, specs, 0, kMatrix, index, updates).values ==
        std::vector<float>{21, 2, 43, 4, 215, 6});
  CHECK_THROWS_WITH_AS(scattered.trace({f32(2, 3), i64(4), f32(2)}), doctest::Contains("broadcast"),
                       UserError);
  CHECK_THROWS_WITH_AS(scattered.trace({f32(2, 3), i64(3, 4), f32(3, 4)}),
                       doctest::Contains("but for axis 1"), UserError);
  CHECK_THROWS_WITH_AS(scattered.trace({f32(2, 3), i64(2, 4), f64(2, 4)}),
                       doctest::Contains("cast operand 0 to f64"), UserError);
}

TEST_CASE("whole rows and columns are put and added") {
  const std::vector<TensorSpec> specs{f32("n", "m"), i64("k"), f32("k", "m")};
  const Index index{{3}, {1, 1, 7}};
  const Array<float> rows{{3, 3}, {1, 1, 1, 2, 2, 2, 3, 3, 3}};

  CHECK(run_operator<float>(rows_put, specs, 0, kMatrix, index, rows).values ==
        std::vector<float>{1, 2, 3, 2, 2, 2});
  CHECK(run_operator<float>(rows_added, specs, 0, kMatrix, index, rows).values ==
        std::vector<float>{1, 2, 3, 7, 8, 9});
  CHECK(run_operator<float>(columns_added, {f32("n", "m"), i64("k"), f32("n", "k")}, 0, kMatrix,
                            Index{{2}, {0, 0}}, Array<float>{{2, 2}, {10, 20, 30, 40}})
            .values == std::vector<float>{31, 2, 3, 74, 5, 6});
  CHECK_THROWS_WITH_AS(rows_put.trace({f32(2, 3), i64(3, 1), f32(3, 3)}),
                       doctest::Contains("one index a slice is needed"), UserError);
  CHECK_THROWS_WITH_AS(rows_put.trace({f32(2, 3), i64(3), f32(3)}),
                       doctest::Contains("but for axis 0"), UserError);
}

TEST_CASE("small integers are added in their own type, which wraps") {
  const Array<std::int8_t> x{{1, 1}, {100}};
  const Array<std::int8_t> updates{{1, 2}, {100, 100}};

  const auto result = run_operator<std::int8_t>(scatter_added, {i8(1, 1), i64(1, 2), i8(1, 2)}, 0,
                                                x, Index{{1, 2}, {0, 0}}, updates);

  CHECK(result.values == std::vector<std::int8_t>{static_cast<std::int8_t>(300)});
}

}  // namespace sinter::tests
