// Views, leaves, sizes, and what is refused once sizes are known.
#include <doctest/doctest.h>

#include "sinter/error.h"
#include "tests/support/graph_case.h"

using namespace sinter;
using ir::DType;
using tests::first_values;

namespace {

const tests::CaseInput kMatrix = {DType::I32, {2, 3}, {1, 2, 3, 4, 5, 6}};

std::string view(const std::string& op, const std::string& to, const std::string& attributes) {
  return "(%x: i32[2, 3]) {\n  %0: " + to + " = " + op + "(%x) {" + attributes +
         "}\n  return %0\n}\n";
}

std::string message_of(const std::string& text, const std::vector<tests::CaseInput>& inputs) {
  try {
    tests::evaluate_text(text, inputs);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("views move elements") {
  CHECK(first_values(view("permute", "i32[3, 2]", "axes: [1, 0]"), {kMatrix}) ==
        std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK(first_values(view("reshape", "i32[3, 2]", "shape: [3, 2]"), {kMatrix}) ==
        std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(first_values(view("slice", "i32[1, 2]", "shape: [1, 2], begin: [1, 2], step: [1, -2]"),
                     {kMatrix}) == std::vector<double>{6, 4});
  CHECK(first_values(view("broadcast", "i32[2, 2, 3]", "shape: [2, 2, 3]"), {kMatrix}) ==
        std::vector<double>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("trap B02: one against zero gives zero") {
  const std::string text =
      "(%x: f32[0, 1], %y: f32[1, 128]) {\n"
      "  %0: f32[0, 128] = broadcast(%x) {shape: [0, 128]}\n"
      "  %1: f32[0, 128] = broadcast(%y) {shape: [0, 128]}\n"
      "  %2: f32[0, 128] = add(%0, %1)\n"
      "  return %2\n}\n";
  const tests::CaseInput x = {DType::F32, {0, 1}, {}};
  const tests::CaseInput y = {DType::F32, {1, 128}, std::vector<double>(128, 1.0)};

  const auto output = tests::evaluate_text(text, {x, y}).outputs[0];

  CHECK(output.extents == std::vector<std::int64_t>{0, 128});
  CHECK(output.elements.empty());
}

TEST_CASE("trap A24: negation and select keep the sign of zero") {
  const std::string text =
      "(%x: f32[2]) {\n"
      "  %0: f32 = constant() {value: 0.0: f32}\n"
      "  %1: f32[2] = broadcast(%0) {shape: [2]}\n"
      "  %2: bool[2] = lt(%x, %1)\n"
      "  %3: f32[2] = select(%2, %1, %x)\n"
      "  %4: f32[2] = neg(%x)\n"
      "  return %3, %4\n}\n";

  const auto result = tests::evaluate_text(text, {{DType::F32, {2}, {-0.0, 0.0}}});

  CHECK(std::signbit(result.outputs[0].elements[0].real));
  CHECK_FALSE(std::signbit(result.outputs[1].elements[0].real));
  CHECK(std::signbit(result.outputs[1].elements[1].real));
  CHECK(result.outputs[1].elements[1].is_exact());
}

TEST_CASE("iota counts along its axis and wraps in its type") {
  const std::string text =
      "(%x: f32[n]) {\n"
      "  %0: i8[n, 2] = iota() {dtype: i8, shape: [n, 2], axis: 0}\n"
      "  return %0\n}\n";

  const auto values = first_values(text, {{DType::F32, {130}, std::vector<double>(130)}});

  CHECK(values[3] == 1);
  CHECK(values[259] == -127);
}

TEST_CASE("names bind from the inputs, expressions too") {
  const std::string text = "(%x: f32[2*n + 1], %y: f32[m]) {\n  return %x, %y\n}\n";
  const tests::CaseInput x = {DType::F32, {7}, std::vector<double>(7)};
  const tests::CaseInput even = {DType::F32, {6}, std::vector<double>(6)};
  const tests::CaseInput y = {DType::F32, {1}, {1}};

  CHECK(tests::evaluate_text(text, {x, y}).outputs.size() == 2);
  CHECK(message_of(text, {even, y}) != "");
}

TEST_CASE("inputs that do not fit are refused with what was given") {
  const std::string text =
      "(%x: f32[n], %y: f32[n]) {\n  %0: f32[n] = add(%x, %y)\n  return %0\n}\n";
  const tests::CaseInput x = {DType::F32, {2}, {1, 2}};
  const tests::CaseInput longer = {DType::F32, {3}, {1, 2, 3}};
  const tests::CaseInput one = {DType::F32, {1}, {1}};
  const tests::CaseInput wide = {DType::F64, {2}, {1, 2}};

  CHECK(message_of(text, {x, longer}) == "input y has shape [3]; [n] is needed, where n = 2");
  CHECK(message_of(text, {x, one}) == "input y has shape [1]; [n] is needed, where n = 2");
  CHECK(message_of(text, {x, wide}) == "input y is f64, the operator needs f32");
  CHECK(message_of(text, {x}) == "test_case takes 2 inputs; given 1");
}

TEST_CASE("a slice that leaves its operand is refused once sizes are known") {
  const std::string text =
      "(%x: f32[n]) {\n"
      "  %0: f32[4] = slice(%x) {shape: [4], begin: [0], step: [1]}\n"
      "  return %0\n}\n";

  CHECK(message_of(text, {{DType::F32, {3}, {1, 2, 3}}}) ==
        "test_case: slice needs 4 <= n; given n = 3");
  CHECK(message_of(text, {{DType::F32, {4}, {1, 2, 3, 4}}}) == "");
}

TEST_CASE("dimensions that turn out unequal are refused, equal ones broadcast") {
  const std::string text =
      "(%x: f32[n], %y: f32[m]) {\n"
      "  %0: f32[m] = broadcast(%x) {shape: [m]}\n"
      "  %1: f32[m] = add(%0, %y)\n"
      "  return %1\n}\n";
  const tests::CaseInput one = {DType::F32, {1}, {1}};
  const tests::CaseInput two = {DType::F32, {2}, {1, 2}};

  CHECK(first_values(text, {two, two}) == std::vector<double>{2, 4});
  CHECK(message_of(text, {one, two}) == "test_case: broadcast needs n = m; given n = 1, m = 2");
}
