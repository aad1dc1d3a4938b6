// Verdicts on computed tensors.
#include <doctest/doctest.h>

#include "reference/compare.h"
#include "sinter/error.h"
#include "support/special_values.h"
#include "tests/support/graph_case.h"
#include "tests/support/random.h"

using namespace sinter;
using ir::DType;
using reference::Element;
using reference::make_real;

namespace {

using support::kInfinity;
using support::kNan;

reference::ReferenceOutput expect(const std::vector<Element>& elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  reference::ReferenceOutput output{DType::F32, {count}, {}, elements};
  for (std::int64_t i = 0; i < count; ++i) output.indices.push_back(i);
  return output;
}

reference::Comparison compare_values(const std::vector<Element>& expected,
                                     const std::vector<float>& given) {
  const auto count = static_cast<std::int64_t>(given.size());
  return reference::compare(expect(expected), {DType::F32, {count}, {}, given.data()});
}

}  // namespace

TEST_CASE("errors within the bound pass, and the worst is named") {
  const auto result = compare_values({make_real(1, 0.1), make_real(2, 0.1)}, {1.05F, 2.01F});

  CHECK(result.passed);
  CHECK(result.worst_index == 0);
  CHECK(result.max_ratio == doctest::Approx(0.5).epsilon(1e-3));
}

TEST_CASE("an error beyond the bound fails with what was given, expected and allowed") {
  const auto result = compare_values({make_real(1, 0.1), make_real(2, 0.125)}, {1, 3});

  CHECK_FALSE(result.passed);
  CHECK(result.failed == 1);
  CHECK(result.text ==
        "failed: 2 compared, 1 failed, 0 undecided, worst error is 8 of its bound\n"
        "worst: element [1] given 3, expected 2 within 0.125");
}

TEST_CASE("NaN and infinities must stand in their places") {
  const auto nan = static_cast<float>(kNan);
  const auto inf = static_cast<float>(kInfinity);

  CHECK(
      compare_values({make_real(kNan), make_real(kInfinity), make_real(1)}, {nan, inf, 1}).passed);
  CHECK_FALSE(compare_values({make_real(kNan)}, {1}).passed);
  CHECK_FALSE(compare_values({make_real(1, 0.1)}, {nan}).passed);
  CHECK_FALSE(compare_values({make_real(kInfinity)}, {-inf}).passed);
  CHECK_FALSE(compare_values({make_real(1, 0.1)}, {inf}).passed);
}

TEST_CASE("exact elements must agree to the bit, the sign of zero included") {
  CHECK(compare_values({make_real(-0.0L), make_real(1)}, {-0.0F, 1}).passed);
  CHECK_FALSE(compare_values({make_real(-0.0L), make_real(1)}, {0.0F, 1}).passed);
  CHECK_FALSE(compare_values({make_real(1)}, {1.0000001F}).passed);
}

TEST_CASE("undecided elements are counted and not compared") {
  const auto result =
      compare_values({make_real(1), make_real(1), make_real(1, kInfinity)}, {1, 1, 1000});

  CHECK(result.passed);
  CHECK(result.compared == 2);
  CHECK(result.undecided == 1);
}

TEST_CASE("a check whose bounds say nothing does not pass") {
  const auto loose = compare_values({make_real(1, 0.5), make_real(-1, 0.5)}, {1, -1});
  const auto undecided = compare_values({make_real(1, kInfinity), make_real(1)}, {1, 1});
  const auto most_undecided =
      compare_values({make_real(1, kInfinity), make_real(1, kInfinity), make_real(1)}, {1, 1, 1});

  CHECK(loose.failed == 0);
  CHECK(loose.vacuous);
  CHECK_FALSE(loose.passed);
  CHECK(undecided.passed);
  CHECK_FALSE(most_undecided.passed);
}

TEST_CASE("zeros and empty outputs are no vacuous checks") {
  const double least = 0x1p-149;

  CHECK(compare_values({make_real(0, least), make_real(0, least)}, {0, -0.0F}).passed);
  CHECK(compare_values({}, {}).passed);
}

TEST_CASE("another dtype or shape is refused") {
  const float value = 1;

  CHECK_THROWS_WITH_AS(reference::compare(expect({make_real(1)}), {DType::F32, {1, 1}, {}, &value}),
                       "compare: given f32[1, 1], expected f32[1]", UserError);
}

TEST_CASE("small mistakes of a product are found") {
  tests::Random random(11);
  constexpr std::int64_t kInner = 256;
  std::vector<double> a;
  std::vector<double> b;
  for (std::int64_t i = 0; i < kInner; ++i) a.push_back(static_cast<float>(random.normal()));
  for (std::int64_t i = 0; i < kInner; ++i) b.push_back(static_cast<float>(random.normal()));
  const std::string text =
      "(%a: f32[1, k], %b: f32[k, 1]) {\n  %0: f32[1, 1] = matmul(%a, %b)\n  return %0\n}\n";
  const auto expected =
      tests::evaluate_text(text, {{DType::F32, {1, kInner}, a}, {DType::F32, {kInner, 1}, b}})
          .outputs[0];
  const auto passes = [&](double value) {
    const auto given = static_cast<float>(value);
    return reference::compare(expected, {DType::F32, {1, 1}, {}, &given}).passed;
  };
  const auto exact = static_cast<double>(expected.elements[0].real);

  CHECK(passes(exact));
  CHECK_FALSE(passes(exact * (1 + 0x1p-9)));
  CHECK_FALSE(passes(exact - a[200] * b[200]));
  CHECK_FALSE(passes(0));
}
