// Reductions, scans and windows with the user's own functions, against direct loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

/// A function of the user's: nothing but C++ over expressions.
Tensor log_add(const Tensor& a, const Tensor& b) {
  return sn::maximum(a, b) + sn::log1p(sn::exp(-sn::abs(a - b)));
}

std::vector<Tensor> larger_magnitude(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  const Tensor wins = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1]));
  return {sn::select(wins, b[0], a[0]), sn::select(wins, b[1], a[1])};
}

/// Composition of x -> m x + c: what a linear recurrence scans with. It does not commute.
std::vector<Tensor> compose(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return {a[0] * b[0], b[0] * a[1] + b[1]};
}

std::string error_of(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& body) {
  try {
    run_on_host(body, {make_array({2, 3})});
  } catch (const UserError& error) {
    const std::string text = error.what();
    CHECK(text.find("folds_test.cpp") != std::string::npos);
    return text.substr(text.find(": ") + 2);
  }
  return "";
}

}  // namespace

TEST_CASE("reduce folds with a C++ function over expressions") {
  const HostArray x = make_array({3, 40});
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::reduce(t[0], {1}, -1e30, log_add),
                sn::reduce(sn::abs(t[0]), {}, 0,
                           [](const Tensor& a, const Tensor& b) { return sn::maximum(a, b); })};
      },
      {x}, true);

  std::vector<double> expected;
  for (std::size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < 40; ++i) sum += std::exp(x.values[r * 40 + i]);
    expected.push_back(std::log(sum));
  }
  CHECK(difference(results[0], {3}, expected) == "");
  CHECK(difference(results[1], {}, {2.5}) == "");
}

TEST_CASE("reduce of several operands, which broadcast") {
  const HostArray x = make_array({4, 33});
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor index = sn::iota(DType::I32, {33}, 0);
        return sn::reduce({sn::abs(t[0]), index}, {-1}, {-1, 1000}, larger_magnitude);
      },
      {x});

  std::vector<double> largest;
  std::vector<double> at;
  for (std::size_t r = 0; r < 4; ++r) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < 33; ++i) {
      if (std::abs(x.values[r * 33 + i]) > std::abs(x.values[r * 33 + best])) best = i;
    }
    largest.push_back(std::abs(x.values[r * 33 + best]));
    at.push_back(static_cast<double>(best));
  }
  CHECK(difference(results[0], {4}, largest) == "");
  CHECK(results[1].dtype == DType::I32);
  CHECK(difference(results[1], {4}, at) == "");
}

TEST_CASE("a scan that composes functions runs a linear recurrence") {
  const HostArray m = make_array({2, 20}, 1);
  const HostArray c = make_array({2, 20}, 2);
  const auto run = [&](bool exclusive, bool reverse) {
    return run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::scan({t[0], t[1]}, 1, {1, 0}, compose,
                           {.exclusive = exclusive, .reverse = reverse})[1]};
        },
        {m, c})[0];
  };
  const auto direct = [&](bool exclusive, bool reverse) {
    std::vector<double> values(40);
    for (std::size_t r = 0; r < 2; ++r) {
      double state = 0;
      for (std::size_t step = 0; step < 20; ++step) {
        const std::size_t i = r * 20 + (reverse ? 19 - step : step);
        const double next = m.values[i] * state + c.values[i];
        values[i] = exclusive ? state : next;
        state = next;
      }
    }
    return values;
  };

  for (const bool exclusive : {false, true}) {
    for (const bool reverse : {false, true}) {
      CHECK(difference(run(exclusive, reverse), {2, 20}, direct(exclusive, reverse), 1e-4) == "");
    }
  }
}

TEST_CASE("a scan of one operand in bf16 accumulates in f32") {
  const HostArray x{{4}, {1, 1.0 / 512, 1.0 / 512, 1.0 / 512}, DType::BF16};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::scan(t[0], 0, 0, [](const Tensor& a, const Tensor& b) { return a + b; })};
      },
      {x});

  // 1 + 3/512 rounds to 1 + 1/128 once; rounding each sum would stay at 1.
  CHECK(results[0].dtype == DType::BF16);
  CHECK(results[0].values == std::vector<double>{1, 1, 1, 1.0078125});
}

TEST_CASE("windows fold with any reduction or function, in one to three dimensions") {
  const HostArray x = make_array({2, 5, 6, 4});
  const PoolOptions options{.stride = {2}, .padding = {1}, .layout = "nhwc"};
  const auto results = run_on_host(
      [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const auto square_sum = [](const Tensor& a, const Tensor& b) {
          return sn::sqrt(a * a + b * b);
        };
        return {sn::window_reduce(t[0], {3, 2}, "sum", options),
                sn::window_reduce(t[0], {3, 2}, "min", options),
                sn::window_reduce(t[0], {3, 2}, "prod", options),
                sn::window_reduce(t[0], {3, 2}, 0, square_sum, options),
                sn::window_reduce(t[0], {3}, "max"),
                sn::window_reduce(t[0], {2, 2, 2}, "mean")};
      },
      {x});

  const auto at = [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t c) {
    return x.values[static_cast<std::size_t>(((n * 5 + i) * 6 + j) * 4 + c)];
  };
  std::vector<double> sums, least, products, norms;
  for (std::int64_t n = 0; n < 2; ++n) {
    for (std::int64_t p = 0; p < 3; ++p) {
      for (std::int64_t q = 0; q < 4; ++q) {
        for (std::int64_t c = 0; c < 4; ++c) {
          double sum = 0, low = INFINITY, product = 1, squares = 0;
          for (std::int64_t i = 2 * p - 1; i < 2 * p + 2; ++i) {
            for (std::int64_t j = 2 * q - 1; j < 2 * q + 1; ++j) {
              if (i < 0 || i >= 5 || j < 0 || j >= 6) continue;
              sum += at(n, i, j, c);
              low = std::min(low, at(n, i, j, c));
              product *= at(n, i, j, c);
              squares += at(n, i, j, c) * at(n, i, j, c);
            }
          }
          sums.push_back(sum);
          least.push_back(low);
          products.push_back(product);
          norms.push_back(std::sqrt(squares));
        }
      }
    }
  }
  CHECK(difference(results[0], {2, 3, 4, 4}, sums) == "");
  CHECK(difference(results[1], {2, 3, 4, 4}, least) == "");
  CHECK(difference(results[2], {2, 3, 4, 4}, products) == "");
  CHECK(difference(results[3], {2, 3, 4, 4}, norms) == "");
  CHECK(results[4].shape == std::vector<std::int64_t>{2, 5, 6, 1});
  CHECK(results[4].values[7] == std::max({at(0, 1, 1, 0), at(0, 1, 1, 1), at(0, 1, 1, 2)}));
  CHECK(results[5].shape == std::vector<std::int64_t>{2, 2, 3, 2});
}

TEST_CASE("window sums of small integers are i64") {
  const HostArray x{{4}, {100, 100, 100, 100}, DType::I8};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::window_reduce(t[0], {4}, "sum")};
      },
      {x});

  CHECK(results[0].dtype == DType::I64);
  CHECK(results[0].values == std::vector<double>{400});
}

TEST_CASE("functions that do not fit a fold are refused at the user's line") {
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::reduce(t[0], {0}, 0, [](const Tensor& a, const Tensor& b) { return a < b; })};
        }) == "result 0 of the combining function is bool; f32 is needed");
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::reduce(t[0], {0}, 0, [&](const Tensor&, const Tensor&) { return t[0]; })};
        }) == "the combining function returns a tensor of operator tested, from outside of it");
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {
              sn::reduce(t[0], {0}, 0, [&](const Tensor& a, const Tensor&) { return a + t[0]; })};
        }).find("is used in the body of a combining function; it is valid only inside") !=
        std::string::npos);
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return sn::reduce({t[0], t[0]}, {0}, {0}, larger_magnitude);
        }) == "reduce needs one identity for each operand; given 1 and 2");
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return sn::scan({t[0]}, 0, {0},
                          [](const auto&, const auto&) { return std::vector<Tensor>{}; });
        }) == "the combining function has 0 results; needed: 1");
  CHECK(error_of([](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::window_reduce(t[0], {2}, "median")};
        }) == "window_reduce: 'median' is none of sum, prod, max, min, mean");
}

}  // namespace sinter::tests
