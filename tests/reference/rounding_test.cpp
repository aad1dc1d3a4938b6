// Rounding to every float type, what it does to bounds, and where graphs round.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "ir/literal.h"
#include "reference/rounding.h"
#include "tests/support/graph_case.h"
#include "tests/support/random.h"

using namespace sinter;
using ir::DType;
using reference::Element;
using tests::first_values;

namespace {

constexpr std::array kFloats = {DType::F8E4M3, DType::F8E5M2, DType::F16,
                                DType::BF16,   DType::F32,    DType::F64};

}  // namespace

TEST_CASE("rounding agrees with the literals' conversions over the whole range") {
  tests::Random random(7);
  for (const DType dtype : kFloats) {
    for (int i = 0; i < 20000; ++i) {
      const double value =
          std::ldexp(random.uniform() - 0.5, static_cast<int>(random.between(-170, 135)));
      const double expected = ir::as_double(ir::make_literal(dtype, value));
      CAPTURE(to_string(dtype));
      CAPTURE(value);
      REQUIRE(static_cast<double>(reference::round_to(dtype, value)) == expected);
    }
  }
}

TEST_CASE("ties go to even, and long doubles round once") {
  const reference::Wide tie = 1 + 0x1p-8L;  // halfway between 1 and the next bf16

  CHECK(reference::round_to(DType::BF16, tie) == 1);
  CHECK(reference::round_to(DType::BF16, tie + 0x1p-60L) == 1 + 0x1p-7L);
  CHECK(reference::round_to(DType::BF16, tie + 0x1p-7L) == 1 + 0x1p-6L);
}

TEST_CASE("rounding an uncertain value keeps a bound only across a midpoint") {
  const Element inside = reference::round_element(DType::BF16, reference::make_real(1.001, 1e-4));
  const Element across =
      reference::round_element(DType::BF16, reference::make_real(1.00390624, 1e-4));

  CHECK(inside.real == 1);
  CHECK(inside.is_exact());
  CHECK(across.real == 1);
  CHECK(across.bound == doctest::Approx(0x1p-7));
}

TEST_CASE("a value that may round to infinity is undecided") {
  CHECK(reference::round_element(DType::F16, reference::make_real(65519, 2)).is_undecided());
  CHECK_FALSE(reference::round_element(DType::F8E4M3, reference::make_real(463, 2)).is_undecided());
}

TEST_CASE("a narrow intermediate is not rounded, a narrow output is") {
  const tests::CaseInput x = {DType::BF16, {1}, {1}};
  const tests::CaseInput y = {DType::BF16, {1}, {0.001953125}};  // 2^-9, lost beside 1 in bf16

  const std::string text =
      "(%x: bf16[1], %y: bf16[1]) {\n"
      "  %0: bf16[1] = add(%x, %y)\n"
      "  %1: bf16[1] = sub(%0, %x)\n";

  CHECK(first_values(text + "  return %1\n}\n", {x, y}) == std::vector{0.001953125});
  // An output rounds, and its consumer sees the rounded value.
  CHECK(first_values(text + "  return %1, %0\n}\n", {x, y}) == std::vector{0.0});
}

TEST_CASE("an explicit cast rounds, and so does every node where that is asked for") {
  const tests::CaseInput x = {DType::BF16, {1}, {1}};
  const tests::CaseInput y = {DType::BF16, {1}, {0.001953125}};
  const std::string cast =
      "(%x: bf16[1], %y: bf16[1]) {\n"
      "  %0: bf16[1] = add(%x, %y)\n"
      "  %1: f32[1] = cast(%0) {dtype: f32}\n"
      "  %2: bf16[1] = cast(%1) {dtype: bf16}\n"
      "  %3: bf16[1] = sub(%2, %x)\n"
      "  return %3\n}\n";
  const std::string plain =
      "(%x: bf16[1], %y: bf16[1]) {\n"
      "  %0: bf16[1] = add(%x, %y)\n"
      "  %1: bf16[1] = sub(%0, %x)\n"
      "  return %1\n}\n";

  CHECK(first_values(cast, {x, y}) == std::vector{0.0});
  const auto each = tests::evaluate_text(plain, {x, y}, {.round_each = true});
  CHECK(tests::values_of(each.outputs[0]) == std::vector{0.0});
}

TEST_CASE("what moves bits keeps infinities of f8e5m2, what is computed saturates") {
  const double infinity = std::numeric_limits<double>::infinity();
  const tests::CaseInput x = {DType::I8, {1}, {-4}};  // 0xfc, the bits of -inf

  const auto result = tests::evaluate_text(
      "(%x: i8[1]) {\n"
      "  %0: f8e5m2[1] = bitcast(%x) {dtype: f8e5m2}\n"
      "  %1: f8e5m2[1, 1] = reshape(%0) {shape: [1, 1]}\n"
      "  %2: f8e5m2[1] = neg(%0)\n"
      "  return %0, %1, %2\n}\n",
      {x});

  CHECK(tests::values_of(result.outputs[0]) == std::vector{-infinity});
  CHECK(tests::values_of(result.outputs[1]) == std::vector{-infinity});
  CHECK(tests::values_of(result.outputs[2]) == std::vector{57344.0});
}

TEST_CASE("an infinity of f8e5m2 enters a sum as one, also where the sum's dtype is named") {
  const tests::CaseInput x = {DType::I8, {3}, {-4, 0x7b, 0x3c}};  // -inf, the greatest value, 1

  const auto result = tests::evaluate_text(
      "(%x: i8[3]) {\n"
      "  %0: f8e5m2[3] = bitcast(%x) {dtype: f8e5m2}\n"
      "  %1: f8e5m2 = sum(%0) {axes: [0]}\n"
      "  %2: f8e5m2 = sum(%0) {dtype: f8e5m2, axes: [0]}\n"
      "  return %1, %2\n}\n",
      {x});

  CHECK(tests::values_of(result.outputs[0]) == std::vector{-57344.0});
  CHECK(tests::values_of(result.outputs[1]) == std::vector{-57344.0});
}

TEST_CASE("the bits of an infinity of f8e5m2 pass through views and casts of bits") {
  const tests::CaseInput x = {DType::I8, {1}, {-4}};  // 0xfc, the bits of -inf

  const auto result = tests::evaluate_text(
      "(%x: i8[1]) {\n"
      "  %0: f8e5m2[1] = bitcast(%x) {dtype: f8e5m2}\n"
      "  %1: f8e5m2[1, 1] = reshape(%0) {shape: [1, 1]}\n"
      "  %2: u8[1, 1] = bitcast(%1) {dtype: u8}\n"
      "  %3: f8e5m2[1] = neg(%0)\n"
      "  %4: u8[1] = bitcast(%3) {dtype: u8}\n"
      "  return %2, %4\n}\n",
      {x});

  CHECK(tests::values_of(result.outputs[0]) == std::vector<double>{0xfc});
  CHECK(tests::values_of(result.outputs[1]) == std::vector<double>{0x7b});  // the greatest value
}

TEST_CASE("integers wrap to their width and keep their sign") {
  CHECK(reference::integer_value(DType::I8, reference::wrap_to(DType::I8, 200)) == -56);
  CHECK(reference::integer_value(DType::U8, reference::wrap_to(DType::U8, 300)) == 44);
  CHECK(reference::integer_value(DType::U64, ~std::uint64_t{0}) == 0x1p64L - 1);
}
