// The bounds hold for f32 computations in several orders, and are not idle.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/graph_case.h"
#include "tests/support/random.h"

using namespace sinter;
using ir::DType;
using reference::Element;

namespace {

std::vector<double> draw_floats(tests::Random& random, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.normal()));
  return values;
}

/// Sums of `terms` in f32: one after the other, from the end, in 8 lanes, in pairs.
std::vector<float> sum_in_orders(std::vector<float> terms) {
  std::vector<float> sums = {std::accumulate(terms.begin(), terms.end(), 0.0F),
                             std::accumulate(terms.rbegin(), terms.rend(), 0.0F)};
  std::vector<float> lanes(8, 0.0F);
  for (std::size_t i = 0; i < terms.size(); ++i) lanes[i % 8] += terms[i];
  sums.push_back(std::accumulate(lanes.begin(), lanes.end(), 0.0F));
  while (terms.size() > 1) {
    const std::size_t half = (terms.size() + 1) / 2;
    for (std::size_t i = half; i < terms.size(); ++i) terms[i - half] += terms[i];
    terms.resize(half);
  }
  sums.push_back(terms[0]);
  return sums;
}

/// |given - expected| / bound.
double ratio(const Element& expected, float given) {
  return static_cast<double>(std::abs(given - expected.real)) / expected.bound;
}

}  // namespace

TEST_CASE("sums in any order stay within the bound") {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    tests::Random random(seed);
    const auto count = random.between(2, 500);
    const auto values = draw_floats(random, static_cast<std::size_t>(count));
    const std::string text = "(%x: f32[n]) {\n  %0: f32 = sum(%x) {axes: [0]}\n  return %0\n}\n";

    const auto output = tests::evaluate_text(text, {{DType::F32, {count}, values}}).outputs[0];

    const auto sums = sum_in_orders(std::vector<float>(values.begin(), values.end()));
    for (const float sum : sums) worst = std::max(worst, ratio(output.elements[0], sum));
  }
  CHECK(worst <= 1);
  CHECK(worst > 0.001);
}

TEST_CASE("dot products in any order stay within the bound") {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    tests::Random random(seed);
    const auto k = random.between(1, 300);
    const auto a = draw_floats(random, static_cast<std::size_t>(k));
    const auto b = draw_floats(random, static_cast<std::size_t>(k));
    const std::string text =
        "(%a: f32[1, k], %b: f32[k, 1]) {\n  %0: f32[1, 1] = matmul(%a, %b)\n  return %0\n}\n";

    const auto output =
        tests::evaluate_text(text, {{DType::F32, {1, k}, a}, {DType::F32, {k, 1}, b}}).outputs[0];

    std::vector<float> terms;
    for (std::size_t i = 0; i < a.size(); ++i) {
      terms.push_back(static_cast<float>(a[i]) * static_cast<float>(b[i]));
    }
    for (const float sum : sum_in_orders(terms)) {
      worst = std::max(worst, ratio(output.elements[0], sum));
    }
  }
  CHECK(worst <= 1);
  CHECK(worst > 0.001);
}

TEST_CASE("exp may be coarser where a narrow float is rounded from it, on every way to an output") {
  tests::Random random(5);
  const auto a = draw_floats(random, 4000);
  // The bf16 elements whose rounding either way is legal.
  const auto count_open = [&](const std::string& results) {
    const std::string text =
        "(%a: f32[4000]) {\n  %0: f32[4000] = exp(%a)\n  %1: f32[4000] = add(%0, %0)\n"
        "  %2: bf16[4000] = cast(%1) {dtype: bf16}\n  return " +
        results + "\n}\n";
    const auto outputs = tests::evaluate_text(text, {{DType::F32, {4000}, a}}).outputs;
    return std::count_if(outputs[0].elements.begin(), outputs[0].elements.end(),
                         [](const Element& element) { return element.bound > 0; });
  };
  CHECK(count_open("%2") > 5);
  CHECK(count_open("%2") < 100);
  CHECK(count_open("%2, %1") < 5);
}

TEST_CASE("a chain of operators in f32 stays within the bound, which is a few roundings") {
  const std::string text =
      "(%a: f32[n], %b: f32[n]) {\n"
      "  %0: f32[n] = mul(%a, %b)\n"
      "  %1: f32[n] = sub(%0, %a)\n"
      "  %2: f32[n] = exp(%1)\n"
      "  %3: f32[n] = add(%2, %b)\n"
      "  %4: f32[n] = tanh(%3)\n"
      "  %5: f32[n] = div(%4, %2)\n"
      "  %6: f32[n] = maximum(%5, %0)\n"
      "  return %6\n}\n";
  tests::Random random(3);
  const auto a = draw_floats(random, 2000);
  const auto b = draw_floats(random, 2000);

  const auto output =
      tests::evaluate_text(text, {{DType::F32, {2000}, a}, {DType::F32, {2000}, b}}).outputs[0];

  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<float>(a[i]);
    const auto y = static_cast<float>(b[i]);
    const float product = x * y;
    const float power = std::exp(product - x);
    const float result = std::max(std::tanh(power + y) / power, product);
    worst = std::max(worst, ratio(output.elements[i], result));
    CHECK(output.elements[i].bound <= 1e-4 * (1 + std::abs(static_cast<double>(result))));
  }
  CHECK(worst <= 1);
  CHECK(worst > 0.02);
}

TEST_CASE("a known chain length tightens long sums") {
  const std::string text = "(%x: f32[n]) {\n  %0: f32 = sum(%x) {axes: [0]}\n  return %0\n}\n";
  const tests::CaseInput x = {DType::F32, {4096}, std::vector<double>(4096, 0.1)};

  const auto any = tests::evaluate_text(text, {x}).outputs[0].elements[0];
  const auto chain = tests::evaluate_text(text, {x}, {.longest_chain = 20}).outputs[0].elements[0];

  CHECK(any.bound > 100 * chain.bound);
  CHECK(chain.bound > 0);
}

TEST_CASE("f64 graphs are evaluated in more than f64") {
  const std::string text = "(%x: f64[n]) {\n  %0: f64 = sum(%x) {axes: [0]}\n  return %0\n}\n";
  const tests::CaseInput x = {DType::F64, {3}, {1, 0x1p-60, 0x1p-60}};

  const auto sum = tests::evaluate_text(text, {x}).outputs[0].elements[0];

  CHECK(sum.real == 1 + 0x1p-59L);
  CHECK(sum.bound > 0x1p-53);
}

TEST_CASE("products below the normal numbers may each be off by a step") {
  const std::string text =
      "(%a: f32[1, n], %b: f32[n, 1]) {\n  %0: f32[1, 1] = matmul(%a, %b)\n  return %0\n}\n";
  const auto bound = [&](double a) {
    const tests::CaseInput x = {DType::F32, {1, 32}, std::vector<double>(32, a)};
    const tests::CaseInput y = {DType::F32, {32, 1}, std::vector<double>(32, 1.4)};
    return tests::evaluate_text(text, {x, y}).outputs[0].elements[0].bound;
  };

  CHECK(bound(0x1p-148) >= 32 * 0x1p-150);  // half a step for each of the products
  CHECK(bound(1.0) < 1e-3);
}
