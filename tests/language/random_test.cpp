// Philox against the published vectors, and what is made of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

TEST_CASE("philox gives the known answers of Random123") {
  // kat_vectors, philox4x32-10: counter and key of zeros, and of ones.
  const HostArray counter{{2}, {0, -1}, DType::I64};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const auto words = sn::philox(t[0], t[0], t[0]);
        return {words.begin(), words.end()};
      },
      {counter});

  const std::vector<std::vector<double>> expected{{0x6627e8d5, 0x408f276d},
                                                  {0xe169c58d, 0x41c83b0e},
                                                  {0xbc57ac4c, 0xa20bc7c6},
                                                  {0x9b00dbd8, 0x6d5451fd}};
  for (std::size_t w = 0; w < 4; ++w) {
    CHECK(results[w].dtype == DType::U32);
    CHECK(results[w].values == expected[w]);
  }
}

TEST_CASE("uniform numbers are in [0, 1), spread evenly, and differ by seed and stream") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::random_uniform(t[0], {100, 100}), sn::random_uniform(t[0], {10000}),
                sn::random_uniform(t[0], {100, 100}, t[1]), sn::random_uniform(t[1], {10000})};
      },
      {{{}, {0}, DType::I64}, {{}, {7}, DType::I64}});

  std::vector<int> counts(10, 0);
  for (const double value : results[0].values) {
    REQUIRE(value >= 0);
    REQUIRE(value < 1);
    ++counts[static_cast<std::size_t>(value * 10)];
  }
  // Expected 1000 with a deviation of 30 each.
  CHECK(*std::min_element(counts.begin(), counts.end()) > 850);
  CHECK(*std::max_element(counts.begin(), counts.end()) < 1150);
  CHECK(results[0].values[0] == (0x6627e8d5 >> 8) / 16777216.0);
  CHECK(results[0].values == results[1].values);
  CHECK(results[0].values != results[2].values);
  CHECK(results[1].values != results[3].values);
}

TEST_CASE("normal numbers are Box and Muller's of the same words, and normal") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::random_normal(t[0], {200, 100}), sn::random_normal(t[0], {4}, t[1])};
      },
      {{{}, {0}, DType::I64}, {{}, {7}, DType::I64}});

  // Words 0 and 1 of counter 0 and key 0, from the known answers above.
  const double u = (0x6627e8d5 + 0.5) / 4294967296.0;
  const double v = (0xe169c58d >> 8) / 16777216.0;
  const double first = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  CHECK(results[0].values[0] == doctest::Approx(first).epsilon(1e-5));
  double sum = 0;
  double squares = 0;
  double within = 0;
  for (const double value : results[0].values) {
    sum += value;
    squares += value * value;
    within += std::abs(value) < 1 ? 1 : 0;
  }
  // Of 20000: deviations of mean, variance and share are 0.007, 0.01 and 0.0033.
  CHECK(std::abs(sum / 20000) < 0.03);
  CHECK(std::abs(squares / 20000 - 1) < 0.04);
  CHECK(std::abs(within / 20000 - 0.682689) < 0.014);
  CHECK(results[1].values[0] != results[0].values[0]);
}

TEST_CASE("dropout keeps where the uniform number is at least the rate, and scales") {
  const HostArray x = make_array({50, 20});
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::dropout(t[0], 0.25, t[1]), sn::random_uniform(t[1], {50, 20}),
                sn::dropout(t[0], 0, t[1]), sn::dropout(t[0], 1, t[1])};
      },
      {x, {{}, {42}, DType::U64}});

  std::vector<double> expected;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    expected.push_back(results[1].values[i] >= 0.25 ? x.values[i] / 0.75 : 0);
  }
  CHECK(difference(results[0], x.shape, expected) == "");
  CHECK(results[2].values == x.values);
  CHECK(results[3].values == std::vector<double>(x.values.size(), 0));
}

}  // namespace sinter::tests
