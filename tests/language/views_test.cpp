// Shapes, parts and copies: which element stands where.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/language/run_operator.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

/// 0, 1, 2, ...
Array<float> counting(std::vector<std::int64_t> shape) {
  Array<float> array{std::move(shape), {}};
  array.values.resize(static_cast<std::size_t>(count_of(array.shape)));
  std::iota(array.values.begin(), array.values.end(), 0.0F);
  return array;
}

std::string shape_of(const Operator& op, const std::vector<TensorSpec>& specs,
                     std::size_t index = 0) {
  const ir::Graph graph = op.trace(specs);
  return ir::to_string(graph.type(graph.outputs().at(index)).shape);
}

SINTER_OP(inferred, (Tensor x)) { return reshape(x, {4, -1}); }
SINTER_OP(inferred_beside_n, (Tensor x)) { return reshape(x, {"n", 4, -1}); }
SINTER_OP(inferred_twice, (Tensor x)) { return reshape(x, {-1, -1}); }
SINTER_OP(inferred_beside_zero, (Tensor x)) { return reshape(x, {0, -1}); }
SINTER_OP(flattened, (Tensor x)) { return {flatten(x), flatten(x, 1), flatten(x, 0, -2)}; }
SINTER_OP(flattened_back, (Tensor x)) { return flatten(x, 2, 1); }
SINTER_OP(squeezed, (Tensor x)) { return {squeeze(x), squeeze(x, {0}), squeeze(x, {-1})}; }
SINTER_OP(expanded, (Tensor x)) { return expand(x, {3, -1, 4}); }
SINTER_OP(expanded_new, (Tensor x)) { return expand(x, {-1, 3, 1}); }
SINTER_OP(flipped, (Tensor x)) { return {flip(x), flip(x, {-1})}; }
SINTER_OP(halves, (Tensor x)) { return chunk(x, 2, 1); }
SINTER_OP(uneven, (Tensor x)) { return split(x, {1, "n - 1"}, 0); }
SINTER_OP(parts_of_three, (Tensor x)) { return split(x, {1, 2}, 0); }
SINTER_OP(repeated, (Tensor x)) { return {repeat_interleave(x, 2, 1), tile(x, {2, 1, 2})}; }
SINTER_OP(diagonals, (Tensor x)) { return {diagonal(x), diagonal(x, 1), diagonal(x, -2, 1, 0)}; }
SINTER_OP(one_diagonal, (Tensor x)) { return diagonal(x, 0, 1, -1); }
SINTER_OP(windows, (Tensor x)) { return unfold(x, {-1}, {3}, {2}); }

const Array<float> kSix = counting({2, 3});

}  // namespace

TEST_CASE("reshape finds the extent that is left open") {
  CHECK(shape_of(inferred, {f32(2, 6)}) == "[4, 3]");
  CHECK(shape_of(inferred, {f32("n", 8)}) == "[4, 2*n]");
  CHECK(shape_of(inferred, {f32("n")}) == "[4, floor(n / 4)]");
  CHECK(shape_of(inferred_beside_n, {f32("n", 64)}) == "[n, 4, 16]");
  CHECK(shape_of(inferred_beside_n, {f32("n*m", 8)}) == "[n, 4, 2*m]");
  CHECK(shape_of(inferred_beside_zero, {f32(0, 3)}) == "[0, 3]");
  CHECK_THROWS_WITH_AS(inferred.trace({f32(6)}), doctest::Contains("no one extent fits"),
                       UserError);
  CHECK_THROWS_WITH_AS(inferred_twice.trace({f32(6)}), doctest::Contains("one extent may be -1"),
                       UserError);
  CHECK_THROWS_WITH_AS(inferred_beside_zero.trace({f32("n")}),
                       doctest::Contains("no one extent fits"), UserError);
}

TEST_CASE("flatten merges dimensions") {
  const std::vector<TensorSpec> specs{f32("n", 3, "m")};
  CHECK(shape_of(flattened, specs, 0) == "[3*m*n]");
  CHECK(shape_of(flattened, specs, 1) == "[n, 3*m]");
  CHECK(shape_of(flattened, specs, 2) == "[3*n, m]");
  CHECK_THROWS_WITH_AS(flattened_back.trace(specs), doctest::Contains("which is before it"),
                       UserError);
}

TEST_CASE("squeeze removes dimensions that are the number 1") {
  const std::vector<TensorSpec> specs{f32(1, "n", 1)};
  CHECK(shape_of(squeezed, specs, 0) == "[n]");
  CHECK(shape_of(squeezed, specs, 1) == "[n, 1]");
  CHECK(shape_of(squeezed, specs, 2) == "[1, n]");
  CHECK_THROWS_WITH_AS(squeezed.trace({f32(1, "n")}), doctest::Contains("1 is needed"), UserError);
}

TEST_CASE("expand keeps extents that are -1") {
  CHECK(shape_of(expanded, {f32("n", 1)}) == "[3, n, 4]");
  CHECK_THROWS_WITH_AS(expanded_new.trace({f32(3, 1)}),
                       doctest::Contains("a new dimension cannot be -1"), UserError);
}

TEST_CASE("flip reverses the named dimensions, or all") {
  const std::vector<TensorSpec> specs{f32("n", 3)};

  CHECK(run_operator<float>(flipped, specs, 0, kSix).values ==
        std::vector<float>{5, 4, 3, 2, 1, 0});
  CHECK(run_operator<float>(flipped, specs, 1, kSix).values ==
        std::vector<float>{2, 1, 0, 5, 4, 3});
  CHECK(run_operator<float>(flipped, specs, 0, counting({0, 3})).values.empty());
}

TEST_CASE("chunk gives equal parts, split parts of any extents that add up") {
  const Array<float> x = counting({2, 4});

  CHECK(run_operator<float>(halves, {f32(2, "n")}, 1, x).values == std::vector<float>{2, 3, 6, 7});
  CHECK(run_operator<float>(uneven, {f32("n", 4)}, 1, x).values == std::vector<float>{4, 5, 6, 7});
  CHECK_THROWS_WITH_AS(run_operator<float>(halves, {f32(2, "n")}, 0, kSix),
                       doctest::Contains("needs n = 2*floor(n / 2)"), UserError);
  CHECK_THROWS_WITH_AS(run_operator<float>(parts_of_three, {f32("n", 4)}, 0, x),
                       doctest::Contains("needs n = 3"), UserError);
  CHECK_THROWS_WITH_AS(parts_of_three.trace({f32(4)}), doctest::Contains("parts that add up to 3"),
                       UserError);
  CHECK_THROWS_WITH_AS(parts_of_three.trace({f32(1)}), doctest::Contains("parts that add up to 3"),
                       UserError);
  CHECK_THROWS_WITH_AS(halves.trace({f32(2, 5)}), doctest::Contains("2 equal parts; write split"),
                       UserError);
}

TEST_CASE("repeat_interleave copies elements, tile the whole") {
  const auto beside = run_operator<float>(repeated, {f32("n", 3)}, 0, kSix);
  const auto tiled = run_operator<float>(repeated, {f32("n", 3)}, 1, kSix);

  CHECK(beside.shape == std::vector<std::int64_t>{2, 6});
  CHECK(beside.values == std::vector<float>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(tiled.shape == std::vector<std::int64_t>{2, 2, 6});
  const std::vector<float> once{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5};
  CHECK(std::vector<float>(tiled.values.begin(), tiled.values.begin() + 12) == once);
  CHECK(std::vector<float>(tiled.values.begin() + 12, tiled.values.end()) == once);
}

TEST_CASE("diagonals of a matrix") {
  const Array<float> x = counting({3, 4});
  const std::vector<TensorSpec> specs{f32("n", "m")};

  CHECK(run_operator<float>(diagonals, specs, 0, x).values == std::vector<float>{0, 5, 10});
  CHECK(run_operator<float>(diagonals, specs, 1, x).values == std::vector<float>{1, 6, 11});
  // x^T[i + 2][i] = x[i][i + 2]
  CHECK(run_operator<float>(diagonals, specs, 2, x).values == std::vector<float>{2, 7});
  CHECK(shape_of(diagonals, {f32("n", "n")}) == "[n]");
  CHECK_THROWS_WITH_AS(one_diagonal.trace(specs), doctest::Contains("two are needed"), UserError);
}

TEST_CASE("windows of three, two apart") {
  const auto result = run_operator<float>(windows, {f32("n", 6)}, 0, counting({1, 6}));

  CHECK(result.shape == std::vector<std::int64_t>{1, 2, 3});
  CHECK(result.values == std::vector<float>{0, 1, 2, 2, 3, 4});
}

}  // namespace sinter::tests
