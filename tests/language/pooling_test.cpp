// Pooling and resampling against direct loops, and against values worked out by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

struct PoolingSweep {
  std::int64_t window, stride, dilation, low, high;
  bool ceil_mode;
};

struct PoolingExpected {
  std::vector<double> largest, mean, mean_with_pad, length;
};

/// Every window as a list of its elements, in one dimension; padding that belongs to the window is
/// counted beside it.
PoolingExpected direct(const std::vector<double>& x, const PoolingSweep& s) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t rest = n + s.low + s.high - s.dilation * (s.window - 1) - 1;
  std::int64_t places = rest / s.stride + 1;
  if (s.ceil_mode && rest % s.stride != 0 && places * s.stride < n + s.low) ++places;
  PoolingExpected expected;
  for (std::int64_t p = 0; p < places; ++p) {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double squares = 0;
    double count = 0;
    double padded = 0;
    for (std::int64_t k = 0; k < s.window; ++k) {
      const std::int64_t i = p * s.stride + k * s.dilation - s.low;
      if (i < n + s.high) ++padded;
      if (i < 0 || i >= n) continue;
      const double value = x[static_cast<std::size_t>(i)];
      largest = std::max(largest, value);
      sum += value;
      squares += value * value;
      ++count;
    }
    expected.largest.push_back(largest);
    expected.mean.push_back(sum / count);
    expected.mean_with_pad.push_back(sum / padded);
    expected.length.push_back(std::sqrt(squares));
  }
  return expected;
}

}  // namespace

TEST_CASE("pools agree with direct loops for strides, dilations, paddings and ceil mode") {
  for (const bool named : {false, true}) {
    for (const PoolingSweep& s :
         {PoolingSweep{3, 2, 1, 0, 0, false}, PoolingSweep{3, 2, 1, 1, 0, true},
          PoolingSweep{2, 3, 2, 1, 2, true}, PoolingSweep{4, 4, 1, 2, 1, true},
          PoolingSweep{2, 1, 3, 1, 1, false}}) {
      const HostArray x = make_array({10});
      PoolOptions options{.stride = {s.stride},
                          .padding = {s.low},
                          .padding_high = std::vector<std::int64_t>{s.high},
                          .dilation = {s.dilation},
                          .ceil_mode = s.ceil_mode};
      PoolOptions without = options;
      without.include_pad = false;

      const auto results = run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {
                sn::max_pool(t[0], {s.window}, options), sn::avg_pool(t[0], {s.window}, without),
                sn::avg_pool(t[0], {s.window}, options), sn::lp_pool(t[0], {s.window}, 2, options)};
          },
          {x}, named);

      const PoolingExpected expected = direct(x.values, s);
      const std::vector<std::int64_t> shape{static_cast<std::int64_t>(expected.mean.size())};
      CHECK(difference(results[0], shape, expected.largest) == "");
      CHECK(difference(results[1], shape, expected.mean) == "");
      CHECK(difference(results[2], shape, expected.mean_with_pad) == "");
      CHECK(difference(results[3], shape, expected.length) == "");
    }
  }
}

TEST_CASE("windows over two dimensions and channels last") {
  const HostArray x{{3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const PoolOptions options{.stride = {1}, .layout = "nhwc"};
        return {sn::max_pool(t[0], {2, 2}, options), sn::avg_pool(t[0], {2, 2}, options)};
      },
      {x});

  CHECK(difference(results[0], {2, 2, 1}, {5, 6, 8, 9}) == "");
  CHECK(difference(results[1], {2, 2, 1}, {3, 4, 6, 7}) == "");
}

TEST_CASE("max_pool of integers never takes padding") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::max_pool(t[0], {3}, {.stride = {2}, .padding = {1}})};
      },
      {{{4}, {-5, -7, -9, -8}, DType::I32}});

  CHECK(difference(results[0], {2}, {-5, -7}) == "");
}

TEST_CASE("adaptive pools fold as many elements as each result needs") {
  for (const std::int64_t m : {1, 3, 4, 7, 9}) {
    for (const bool named : {false, true}) {
      const HostArray x = make_array({2, 7});
      std::vector<double> largest;
      std::vector<double> mean;
      for (std::int64_t row = 0; row < 2; ++row) {
        for (std::int64_t p = 0; p < m; ++p) {
          const std::int64_t begin = p * 7 / m;
          const std::int64_t end = ((p + 1) * 7 + m - 1) / m;
          double most = -1e9;
          double sum = 0;
          for (std::int64_t i = begin; i < end; ++i) {
            most = std::max(most, x.values[static_cast<std::size_t>(row * 7 + i)]);
            sum += x.values[static_cast<std::size_t>(row * 7 + i)];
          }
          largest.push_back(most);
          mean.push_back(sum / static_cast<double>(end - begin));
        }
      }

      const auto results = run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::adaptive_max_pool(t[0], {m}), sn::adaptive_avg_pool(t[0], {m})};
          },
          {x}, named);

      CHECK(difference(results[0], {2, m}, largest) == "");
      CHECK(difference(results[1], {2, m}, mean) == "");
    }
  }
}

TEST_CASE("interpolation: nearest, linear, and linear with aligned corners") {
  const HostArray x{{1, 4}, {1, 2, 4, 8}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::interpolate(t[0], {6}), sn::interpolate(t[0], {8}, {.variant = "linear"}),
                sn::interpolate(t[0], {7}, {.variant = "linear", .align_corners = true}),
                sn::interpolate(t[0], {2}, {.variant = "linear"}),
                sn::interpolate(t[0], {1}, {.variant = "linear", .align_corners = true})};
      },
      {x});

  // Element floor(p 4 / 6).
  CHECK(difference(results[0], {1, 6}, {1, 1, 2, 4, 4, 8}) == "");
  // Places (p + 1/2) / 2 - 1/2: -0.25 (0), 0.25, 0.75, ..., 3.25 (3).
  CHECK(difference(results[1], {1, 8}, {1, 1.25, 1.75, 2.5, 3.5, 5, 7, 8}) == "");
  // Places p / 2.
  CHECK(difference(results[2], {1, 7}, {1, 1.5, 2, 3, 4, 6, 8}) == "");
  // Places 0.5 and 2.5.
  CHECK(difference(results[3], {1, 2}, {1.5, 6}) == "");
  CHECK(difference(results[4], {1, 1}, {1}) == "");
}

TEST_CASE("bilinear is linear in both dimensions") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::interpolate(t[0], {3, 3}, {.variant = "linear", .align_corners = true})};
      },
      {{{2, 2}, {0, 2, 4, 10}}});

  CHECK(difference(results[0], {3, 3}, {0, 1, 2, 2, 4, 6, 4, 7, 10}) == "");
}

TEST_CASE("bicubic interpolation convolves with Keys' kernel of a = -3/4") {
  const HostArray x = make_array({2, 5, 6});
  struct Case {
    std::int64_t rows, columns;
    bool align;
  };
  const auto kernel = [](double distance) {
    const double d = std::abs(distance);
    if (d <= 1) return 1.25 * d * d * d - 2.25 * d * d + 1;
    return d < 2 ? -0.75 * (d * d * d - 5 * d * d + 8 * d - 4) : 0.0;
  };
  const auto place = [](std::int64_t p, std::int64_t n, std::int64_t m, bool align) {
    const auto from = static_cast<double>(n);
    const auto to = static_cast<double>(m);
    const auto at = static_cast<double>(p);
    return align ? at * (from - 1) / std::max(to - 1, 1.0) : (at + 0.5) * from / to - 0.5;
  };
  for (const Case& c :
       {Case{9, 11, false}, Case{9, 11, true}, Case{3, 1, false}, Case{1, 4, true}}) {
    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::interpolate(t[0], {c.rows, c.columns},
                                  {.variant = "cubic", .align_corners = c.align})};
        },
        {x});

    std::vector<double> expected;
    for (std::int64_t n = 0; n < 2; ++n) {
      for (std::int64_t p = 0; p < c.rows; ++p) {
        for (std::int64_t q = 0; q < c.columns; ++q) {
          const double row = place(p, 5, c.rows, c.align);
          const double column = place(q, 6, c.columns, c.align);
          double sum = 0;
          for (std::int64_t i = -3; i < 9; ++i) {
            for (std::int64_t j = -3; j < 10; ++j) {
              const std::int64_t at = (n * 5 + std::clamp<std::int64_t>(i, 0, 4)) * 6 +
                                      std::clamp<std::int64_t>(j, 0, 5);
              sum += x.values[static_cast<std::size_t>(at)] * kernel(row - static_cast<double>(i)) *
                     kernel(column - static_cast<double>(j));
            }
          }
          expected.push_back(sum);
        }
      }
    }
    CHECK(difference(results[0], {2, c.rows, c.columns}, expected) == "");
  }
}

TEST_CASE("trilinear interpolation is the product of three linear ones") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::interpolate(t[0], {3, 3, 3}, {.variant = "linear", .align_corners = true})};
      },
      {{{2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}}});

  std::vector<double> expected;
  for (int i = 0; i < 27; ++i) expected.push_back(i / 9 * 2 + i / 3 % 3 + i % 3 * 0.5);
  CHECK(difference(results[0], {3, 3, 3}, expected) == "");
}

TEST_CASE("windows that do not fit the operator are refused") {
  const auto message = [](const std::vector<std::int64_t>& window, const PoolOptions& options) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::max_pool(t[0], window, options)};
          },
          {make_array({2, 7})});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string();
  };

  CHECK(message({0}, {}).find("window 0 is below 1") != std::string::npos);
  CHECK(message({2, 2, 2}, {}).find("max_pool over 3 dimensions of a tensor of rank 2") !=
        std::string::npos);
  CHECK(message({2, 2}, {.stride = {1, 1, 1}}).find("stride has 3 numbers; 1 or 2 are needed") !=
        std::string::npos);
  CHECK(message({2}, {.layout = "hw"}).find("layout 'hw' is none of nchw, nhwc") !=
        std::string::npos);
}

}  // namespace sinter::tests
