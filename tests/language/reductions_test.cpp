// Norms of any order and running logsumexps, against loops in f64.
#include <doctest/doctest.h>

#include <cmath>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;

}  // namespace

TEST_CASE("norms of every order from 0 up") {
  HostArray x = make_array({2, 7});
  x.values[3] = 0;
  const std::vector<double> orders{0, 0.5, 1, 2, 3, 7.5};
  const auto results = run_on_host(
      [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        std::vector<Tensor> norms;
        for (const double order : orders) norms.push_back(sn::norm(t[0], {1}, false, order));
        norms.push_back(sn::lp_pool(t[0], {7}, 3));
        return norms;
      },
      {x});

  for (std::size_t o = 0; o < orders.size(); ++o) {
    std::vector<double> expected;
    for (std::size_t r = 0; r < 2; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        const double size = std::abs(x.values[r * 7 + i]);
        sum += orders[o] == 0 ? (size != 0 ? 1 : 0) : std::pow(size, orders[o]);
      }
      expected.push_back(orders[o] == 0 ? sum : std::pow(sum, 1 / orders[o]));
    }
    CAPTURE(orders[o]);
    CHECK(difference(results[o], {2}, expected) == "");
    if (orders[o] == 3) CHECK(difference(results.back(), {2, 1}, expected) == "");
  }
}

TEST_CASE("an order below 0 is refused") {
  const auto negative = [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
    return {sn::norm(t[0], {0}, false, -2)};
  };
  CHECK_THROWS_WITH_AS(run_on_host(negative, {{{1}, {1}}}),
                       doctest::Contains("norm: order -2 is neither positive, 0 nor -inf"),
                       UserError);
}

TEST_CASE("logcumsumexp does not overflow, from both ends") {
  const HostArray x{{5}, {-kInfinity, 1000, 999, -1000, 1001}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::logcumsumexp(t[0], 0), sn::logcumsumexp(t[0], 0, true),
                sn::logcumsumexp(t[0], 0, false, true)};
      },
      {x});

  const double two = 1000 + std::log1p(std::exp(-1.0));
  const double all = 1001 + std::log(1 + std::exp(-1.0) + std::exp(-2.0));
  CHECK(difference(results[0], {5}, {-kInfinity, 1000, two, two, all}, 1e-7) == "");
  CHECK(difference(results[1], {5}, {-kInfinity, -kInfinity, 1000, two, two}, 1e-7) == "");
  const double last = 1001 + std::log1p(std::exp(-2.0));
  CHECK(difference(results[2], {5}, {all, all, last, 1001, 1001}, 1e-7) == "");
}

TEST_CASE("logcumsumexp agrees with a running sum of exponentials; infinities and NaN stay") {
  const HostArray x = make_array({3, 50});
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::logcumsumexp(t[0], 1), sn::logcumsumexp(t[1], 0)};
      },
      {x, {{4}, {1, kInfinity, 2, std::nan("")}}});

  std::vector<double> expected;
  for (std::size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      sum += std::exp(x.values[r * 50 + i]);
      expected.push_back(std::log(sum));
    }
  }
  CHECK(difference(results[0], {3, 50}, expected) == "");
  CHECK(difference(results[1], {4}, {1, kInfinity, kInfinity, std::nan("")}) == "");
}

}  // namespace sinter::tests
