// Padding, joining and other movement, against numbers worked out by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/text.h"
#include "tests/language/run_operator.h"

namespace sinter::tests {

namespace {

SINTER_OP(padded, (Tensor x)) { return pad(x, {{1, 2}}, 7); }
SINTER_OP(cropped, (Tensor x)) { return pad(x, {{-1, 1}}); }
SINTER_OP(cropped_both, (Tensor x)) { return pad(x, {{-1, -1}}); }
SINTER_OP(padded_by_tensor, (Tensor x)) { return pad(x, {{1, 1}}, x); }
SINTER_OP(padded_twice, (Tensor x)) { return pad(x, {{1, 1}, {1, 1}}); }
SINTER_OP(reflected, (Tensor x)) { return pad_reflect(x, {{5, 4}}); }
SINTER_OP(replicated, (Tensor x)) { return pad_replicate(x, {{2, 3}}); }
SINTER_OP(wrapped, (Tensor x)) { return pad_circular(x, {{4, 2}}); }
SINTER_OP(joined, (Tensor x, Tensor y)) { return concat({x, y, x}, 1); }
SINTER_OP(joined_rows, (Tensor x, Tensor y)) { return concat({x, y}, 0); }
SINTER_OP(stacked, (Tensor x, Tensor y)) { return {stack({x, y}), stack({x, y}, -1)}; }
SINTER_OP(joined_none, (Tensor x)) { return {x, concat({})}; }
SINTER_OP(rolled, (Tensor x)) { return {roll(x, 1, 0), roll(x, -5, -1)}; }
SINTER_OP(triangles, (Tensor x)) { return {tril(x), triu(x, 1), tril(x, -1)}; }
SINTER_OP(causal, (Tensor x)) { return select(causal_mask("n", "m", "m - n"), x, -1); }

const Array<float> kThree{{3}, {1, 2, 3}};
const std::vector<TensorSpec> kVector{f32("n")};

/// numpy.pad's modes by the index alone: element `p` of an endless row.
float at(const std::vector<float>& x, std::int64_t p, const std::string& mode) {
  const auto n = static_cast<std::int64_t>(x.size());
  while (mode == "wrap" && p < 0) p += n;
  while (mode == "wrap" && p >= n) p -= n;
  while (mode == "reflect" && (p < 0 || p >= n)) p = p < 0 ? -p : 2 * (n - 1) - p;
  if (mode == "edge") p = std::min(std::max<std::int64_t>(p, 0), n - 1);
  return x[static_cast<std::size_t>(p)];
}

std::vector<float> pad_by_index(const std::vector<float>& x, std::int64_t before,
                                std::int64_t after, const std::string& mode) {
  std::vector<float> result;
  const auto end = static_cast<std::int64_t>(x.size()) + after;
  for (std::int64_t p = -before; p < end; ++p) result.push_back(at(x, p, mode));
  return result;
}

}  // namespace

TEST_CASE("padding with a value, and cropping") {
  CHECK(run_operator<float>(padded, kVector, 0, kThree).values ==
        std::vector<float>{7, 1, 2, 3, 7, 7});
  CHECK(run_operator<float>(cropped, kVector, 0, kThree).values == std::vector<float>{2, 3, 0});
  CHECK_THROWS_WITH_AS(run_operator<float>(cropped_both, kVector, 0, Array<float>{{1}, {1}}),
                       doctest::Contains("2 <= n"), UserError);
  CHECK_THROWS_WITH_AS(padded_by_tensor.trace(kVector),
                       doctest::Contains("a host literal is needed"), UserError);
  CHECK_THROWS_WITH_AS(padded_twice.trace(kVector), doctest::Contains("needs as many widths"),
                       UserError);
}

TEST_CASE("padding by reflection, by the edge and around") {
  for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {1, 2, 3, 4, 5, 6, 7}, {1, 2}}) {
    const Array<float> input{{static_cast<std::int64_t>(x.size())}, x};

    CHECK(run_operator<float>(reflected, kVector, 0, input).values ==
          pad_by_index(x, 5, 4, "reflect"));
    CHECK(run_operator<float>(replicated, kVector, 0, input).values ==
          pad_by_index(x, 2, 3, "edge"));
    CHECK(run_operator<float>(wrapped, kVector, 0, input).values == pad_by_index(x, 4, 2, "wrap"));
  }
}

TEST_CASE("one element extends to itself, none to 0") {
  const Array<float> one{{1}, {5}};
  const Array<float> none{{0}, {}};
  for (const Operator* op : {&reflected, &wrapped}) {
    const auto filled = run_operator<float>(*op, kVector, 0, one).values;
    CHECK(filled == std::vector<float>(filled.size(), 5));
    const auto zeros = run_operator<float>(*op, kVector, 0, none).values;
    CHECK(zeros == std::vector<float>(zeros.size(), 0));
  }
  CHECK(run_operator<float>(replicated, kVector, 0, none).values == std::vector<float>(5, 0));
}

TEST_CASE("concat of named dimensions has their sum") {
  const Array<float> x{{2, 1}, {1, 2}};
  const Array<float> y{{2, 2}, {3, 4, 5, 6}};
  const std::vector<TensorSpec> specs{f32(2, "n"), f32("k", "m")};

  const auto result = run_operator<float>(joined, specs, 0, x, y);

  CHECK(result.shape == std::vector<std::int64_t>{2, 4});
  CHECK(result.values == std::vector<float>{1, 3, 4, 1, 2, 5, 6, 2});
  CHECK(ir::to_string(joined.trace(specs).type(joined.trace(specs).outputs()[0])) ==
        "f32[2, m + 2*n]");
  const auto without = run_operator<float>(joined, specs, 0, Array<float>{{2, 0}, {}}, y);
  CHECK(without.values == y.values);
}

TEST_CASE("concat of operands that do not fit") {
  const Array<float> x{{2, 1}, {1, 2}};
  const Array<float> y{{3, 1}, {3, 4, 5}};
  CHECK_THROWS_WITH_AS(run_operator<float>(joined, {f32("k", "n"), f32("l", "m")}, 0, x, y),
                       doctest::Contains("k = 2"), UserError);
  CHECK_THROWS_WITH_AS(joined.trace({f32(2, 3), f32(3, 3)}), doctest::Contains("but for axis 1"),
                       UserError);
  CHECK_THROWS_WITH_AS(joined.trace({f32(2, 3), f64(2, 3)}),
                       doctest::Contains("cast operand 0 to f64"), UserError);
  CHECK_THROWS_WITH_AS(joined.trace({f32(2, 3), f32(2)}), doctest::Contains("but for axis 1"),
                       UserError);
  CHECK_THROWS_WITH_AS(joined_none.trace({f32(2)}), doctest::Contains("concat of no tensor"),
                       UserError);
}

TEST_CASE("concat keeps NaN and signed zero apart from padding") {
  const Array<float> x{{1}, {-0.0F}};
  const Array<float> y{{1}, {std::numeric_limits<float>::quiet_NaN()}};

  const auto result = run_operator<float>(joined_rows, {f32("n"), f32("m")}, 0, x, y);

  CHECK(std::signbit(result.values[0]));
  CHECK(std::isnan(result.values[1]));
}

TEST_CASE("stack at the front and at the end") {
  const Array<float> y{{3}, {4, 5, 6}};
  const std::vector<TensorSpec> specs{f32("n"), f32("n")};

  CHECK(run_operator<float>(stacked, specs, 0, kThree, y).values ==
        std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(run_operator<float>(stacked, specs, 1, kThree, y).values ==
        std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK_THROWS_WITH_AS(stacked.trace({f32(3), f32(3, 1)}), doctest::Contains("of one shape"),
                       UserError);
}

TEST_CASE("roll goes round in both directions") {
  CHECK(run_operator<float>(rolled, kVector, 0, kThree).values == std::vector<float>{3, 1, 2});
  CHECK(run_operator<float>(rolled, kVector, 1, kThree).values == std::vector<float>{3, 1, 2});
  CHECK(run_operator<float>(rolled, kVector, 0, Array<float>{{0}, {}}).values.empty());
}

TEST_CASE("triangles") {
  const Array<float> x{{2, 3}, {1, 2, 3, 4, 5, 6}};
  const std::vector<TensorSpec> specs{f32("n", 3)};

  CHECK(run_operator<float>(triangles, specs, 0, x).values == std::vector<float>{1, 0, 0, 4, 5, 0});
  CHECK(run_operator<float>(triangles, specs, 1, x).values == std::vector<float>{0, 2, 3, 0, 0, 6});
  CHECK(run_operator<float>(triangles, specs, 2, x).values == std::vector<float>{0, 0, 0, 4, 0, 0});
  CHECK_THROWS_WITH_AS(triangles.trace({f32(3)}), doctest::Contains("rank 2 at least is needed"),
                       UserError);
}

TEST_CASE("a causal mask whose last row sees all") {
  const Array<float> x{{2, 3}, {1, 2, 3, 4, 5, 6}};

  CHECK(run_operator<float>(causal, {f32("n", "m")}, 0, x).values ==
        std::vector<float>{1, 2, -1, 4, 5, 6});
}

}  // namespace sinter::tests
