// Reductions and scans: values, NaN, empty axes, Functions.
#include <doctest/doctest.h>

#include <cmath>

#include "support/special_values.h"
#include "tests/support/graph_case.h"

using namespace sinter;
using ir::DType;
using tests::first_values;

namespace {

using support::kInfinity;
using support::kNan;

std::string reduction(const std::string& op, const std::string& from, const std::string& to,
                      const std::string& attributes) {
  return "(%x: " + from + ") {\n  %0: " + to + " = " + op + "(%x) {" + attributes +
         "}\n  return %0\n}\n";
}

}  // namespace

TEST_CASE("trap A01: max and min propagate NaN over infinities") {
  const tests::CaseInput x = {DType::F32, {3}, {kNan, kInfinity, kInfinity}};

  CHECK(std::isnan(first_values(reduction("max", "f32[3]", "f32", "axes: [0]"), {x})[0]));
  CHECK(std::isnan(first_values(reduction("min", "f32[3]", "f32", "axes: [0]"), {x})[0]));
}

TEST_CASE("sums keep the other axes in order and widen small integers") {
  const tests::CaseInput x = {DType::I8, {2, 3}, {100, 100, 100, 1, 2, 3}};
  const tests::CaseInput b = {DType::Bool, {3}, {1, 0, 1}};

  CHECK(first_values(reduction("sum", "i8[2, 3]", "i64[2]", "axes: [1]"), {x}) ==
        std::vector<double>{300, 6});
  CHECK(first_values(reduction("sum", "i8[2, 3]", "i64[3]", "axes: [0]"), {x}) ==
        std::vector<double>{101, 102, 103});
  CHECK(first_values(reduction("sum", "bool[3]", "i64", "axes: [0]"), {b}) ==
        std::vector<double>{2});
}

TEST_CASE("empty reductions give the identity, an empty mean gives NaN") {
  const tests::CaseInput x = {DType::F32, {2, 0}, {}};
  const auto of = [&](const std::string& op) {
    return first_values(reduction(op, "f32[2, 0]", "f32[2]", "axes: [1]"), {x});
  };

  CHECK(of("sum") == std::vector<double>{0, 0});
  CHECK(of("max") == std::vector<double>{-kInfinity, -kInfinity});
  CHECK(of("min") == std::vector<double>{kInfinity, kInfinity});
  CHECK(std::isnan(of("mean")[1]));
}

TEST_CASE("a mean of sums that lie above f16's range is what it should be") {
  const tests::CaseInput x = {DType::F16, {4}, {60000, 60000, 60000, 60000}};

  CHECK(first_values(reduction("mean", "f16[4]", "f16", "axes: [0]"), {x}) ==
        std::vector<double>{60000});
}

TEST_CASE("trap A15: a normalized row far from zero is right and its bound says so") {
  std::vector<double> row;
  for (int i = 0; i < 16; ++i) row.push_back(100 + i * 1e-3);
  const std::string text =
      "(%x: f32[16]) {\n"
      "  %0: f32 = mean(%x) {axes: [0]}\n"
      "  %1: f32[16] = broadcast(%0) {shape: [16]}\n"
      "  %2: f32[16] = sub(%x, %1)\n"
      "  %3: f32[16] = mul(%2, %2)\n"
      "  %4: f32 = mean(%3) {axes: [0]}\n"
      "  %5: f32 = constant() {value: 0.00001: f32}\n"
      "  %6: f32 = add(%4, %5)\n"
      "  %7: f32 = sqrt(%6)\n"
      "  %8: f32[16] = broadcast(%7) {shape: [16]}\n"
      "  %9: f32[16] = div(%2, %8)\n"
      "  return %9\n}\n";

  const auto output = tests::evaluate_text(text, {{DType::F32, {16}, row}}).outputs[0];

  CHECK(static_cast<double>(output.elements[0].real) == doctest::Approx(-1.3415).epsilon(1e-4));
  CHECK(output.elements[0].bound < 0.05);
}

TEST_CASE("scans run either way, with or without their own element") {
  const tests::CaseInput x = {DType::I32, {2, 3}, {1, 2, 3, 4, 5, 6}};
  const auto of = [&](const std::string& attributes) {
    return first_values(reduction("scan", "i32[2, 3]", "i32[2, 3]", attributes), {x});
  };

  CHECK(of("axis: 1, reducer: add") == std::vector<double>{1, 3, 6, 4, 9, 15});
  CHECK(of("axis: 0, reducer: add") == std::vector<double>{1, 2, 3, 5, 7, 9});
  CHECK(of("axis: 1, reducer: mul, exclusive: true") == std::vector<double>{1, 1, 2, 1, 4, 20});
  CHECK(of("axis: 1, reducer: add, reverse: true") == std::vector<double>{6, 5, 3, 15, 11, 6});
}

TEST_CASE("a product's bound grows with its factors") {
  const tests::CaseInput x = {DType::F32, {3}, {3, 5, 7}};

  const auto output =
      tests::evaluate_text(reduction("reduce", "f32[3]", "f32", "axes: [0], reducer: mul"), {x})
          .outputs[0];

  CHECK(output.elements[0].real == 105);
  CHECK(output.elements[0].bound > 105 * 0x1p-24);
  CHECK(output.elements[0].bound < 105 * 0x1p-22);
}

TEST_CASE("sums in a named type add in it") {
  const tests::CaseInput f = {DType::F32, {3}, {16777216, 1, 1}};
  const tests::CaseInput i = {DType::I8, {3}, {100, 100, -1}};
  const tests::CaseInput b = {DType::Bool, {3}, {1, 0, 1}};

  CHECK(first_values(reduction("sum", "f32[3]", "f64", "dtype: f64, axes: [0]"), {f}) ==
        std::vector<double>{16777218});
  CHECK(first_values(reduction("sum", "i8[3]", "i8", "dtype: i8, axes: [0]"), {i}) ==
        std::vector<double>{-57});
  CHECK(first_values(reduction("sum", "i8[3]", "u8", "dtype: u8, axes: [0]"), {i}) ==
        std::vector<double>{199});
  CHECK(first_values(reduction("sum", "i8[3]", "f32", "dtype: f32, axes: [0]"), {i}) ==
        std::vector<double>{199});
  CHECK(first_values(reduction("sum", "bool[3]", "f16", "dtype: f16, axes: [0]"), {b}) ==
        std::vector<double>{2});
  CHECK(first_values(reduction("mean", "f32[3]", "f64", "dtype: f64, axes: [0]"), {f}) ==
        std::vector<double>{16777218.0 / 3});
}
