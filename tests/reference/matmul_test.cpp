// Products of matrices: values, batches, tails, types, precisions.
#include <doctest/doctest.h>

#include "support/check.h"
#include "tests/support/graph_case.h"

using namespace sinter;
using ir::DType;
using tests::first_values;

namespace {

std::string matmul(const std::string& a, const std::string& b, const std::string& c,
                   const std::string& attributes = "") {
  return "(%a: " + a + ", %b: " + b + ") {\n  %0: " + c + " = matmul(%a, %b)" + attributes +
         "\n  return %0\n}\n";
}

}  // namespace

TEST_CASE("matmul multiplies rows by columns") {
  const tests::CaseInput a = {DType::F32, {2, 3}, {1, 2, 3, 4, 5, 6}};
  const tests::CaseInput b = {DType::F32, {3, 2}, {1, 0, 0, 1, 2, -1}};

  CHECK(first_values(matmul("f32[2, 3]", "f32[3, 2]", "f32[2, 2]"), {a, b}) ==
        std::vector<double>{7, -1, 16, -1});
}

TEST_CASE("leading dimensions broadcast") {
  const tests::CaseInput a = {DType::F32, {2, 1, 1, 2}, {1, 2, 3, 4}};
  const tests::CaseInput b = {DType::F32, {2, 2, 1}, {1, 1, 10, 10}};

  CHECK(first_values(matmul("f32[2, 1, 1, 2]", "f32[2, 2, 1]", "f32[2, 2, 1, 1]"), {a, b}) ==
        std::vector<double>{3, 30, 7, 70});
}

TEST_CASE("small integers give i32, and an empty inner dimension gives zeros") {
  const tests::CaseInput a = {DType::I8, {1, 2}, {-128, 127}};
  const tests::CaseInput b = {DType::I8, {2, 1}, {-128, 127}};
  const tests::CaseInput none_a = {DType::F32, {2, 0}, {}};
  const tests::CaseInput none_b = {DType::F32, {0, 1}, {}};

  CHECK(first_values(matmul("i8[1, 2]", "i8[2, 1]", "i32[1, 1]"), {a, b}) ==
        std::vector<double>{128 * 128 + 127 * 127});
  CHECK(first_values(matmul("f32[2, 0]", "f32[0, 1]", "f32[2, 1]"), {none_a, none_b}) ==
        std::vector<double>{0, 0});
}

TEST_CASE("less precise products have larger bounds") {
  const tests::CaseInput a = {DType::F32, {1, 4}, {0.1, 0.2, 0.3, 0.4}};
  const tests::CaseInput b = {DType::F32, {4, 1}, {0.5, 0.6, 0.7, 0.8}};
  const auto bound = [&](const std::string& precision) {
    const auto text =
        matmul("f32[1, 4]", "f32[4, 1]", "f32[1, 1]", " {precision: " + precision + "}");
    return tests::evaluate_text(text, {a, b}).outputs[0].elements[0].bound;
  };

  CHECK(bound("split") == bound("ieee"));
  CHECK(bound("split") < 1e-6);
  CHECK(bound("split_fast") > 10 * bound("split"));
  CHECK(bound("tf32") > 10 * bound("split_fast"));
}

TEST_CASE("NaN and infinities of a product stand where they must") {
  const double inf = std::numeric_limits<double>::infinity();
  const tests::CaseInput a = {DType::F32, {3, 2}, {inf, 1, 0, inf, inf, -inf}};
  const tests::CaseInput b = {DType::F32, {2, 1}, {2, 3}};
  const tests::CaseInput zero = {DType::F32, {2, 1}, {0, 0}};
  const std::string text = matmul("f32[3, 2]", "f32[2, 1]", "f32[3, 1]");

  const auto values = first_values(text, {a, b});

  CHECK(values[0] == inf);
  CHECK(values[1] == inf);
  CHECK(std::isnan(values[2]));
  CHECK(std::isnan(first_values(text, {a, zero})[0]));
}

TEST_CASE("a product that overflows for certain is infinite, one that may is undecided") {
  const tests::CaseInput a = {DType::F32, {2, 2}, {2e38, 2e38, 2e38, -2e38}};
  const tests::CaseInput b = {DType::F32, {2, 1}, {1, 1}};

  const auto output =
      tests::evaluate_text(matmul("f32[2, 2]", "f32[2, 1]", "f32[2, 1]"), {a, b}).outputs[0];

  CHECK(std::isinf(output.elements[0].real));
  CHECK_FALSE(output.elements[0].is_undecided());
  CHECK(output.elements[1].is_undecided());
}
