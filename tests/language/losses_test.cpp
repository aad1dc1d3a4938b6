// Losses against their formulas in f64.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using Loss = std::function<Tensor(const Tensor&, const Tensor&, const std::string&)>;
using LossFormula = std::function<double(double, double)>;

/// All three reductions of an elementwise loss.
void check(const Loss& loss, const LossFormula& formula, const HostArray& a, const HostArray& b) {
  const auto results = run_on_host(
      [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {loss(t[0], t[1], "none"), loss(t[0], t[1], "mean"), loss(t[0], t[1], "sum")};
      },
      {a, b});

  std::vector<double> each;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    each.push_back(formula(a.values[i], b.values[i]));
  }
  const double sum = std::accumulate(each.begin(), each.end(), 0.0);
  CHECK(difference(results[0], a.shape, each) == "");
  CHECK(difference(results[1], {}, {sum / static_cast<double>(each.size())}) == "");
  CHECK(difference(results[2], {}, {sum}) == "");
}

std::vector<double> log_softmax(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += std::exp(v);
  std::vector<double> result;
  for (const double v : x) result.push_back(v - std::log(sum));
  return result;
}

}  // namespace

TEST_CASE("losses of differences") {
  const HostArray a = make_array({3, 7});
  const HostArray b = make_array({3, 7}, 1);
  check([](auto&& x, auto&& y, auto&& r) { return sn::mse_loss(x, y, r); },
        [](double x, double y) { return (x - y) * (x - y); }, a, b);
  check([](auto&& x, auto&& y, auto&& r) { return sn::l1_loss(x, y, r); },
        [](double x, double y) { return std::abs(x - y); }, a, b);
  check([](auto&& x, auto&& y, auto&& r) { return sn::huber_loss(x, y, 1.5, r); },
        [](double x, double y) {
          const double d = std::abs(x - y);
          return d <= 1.5 ? d * d / 2 : 1.5 * (d - 0.75);
        },
        a, b);
  check([](auto&& x, auto&& y, auto&& r) { return sn::smooth_l1_loss(x, y, 1.5, r); },
        [](double x, double y) {
          const double d = std::abs(x - y);
          return d < 1.5 ? d * d / 3 : d - 0.75;
        },
        a, b);
}

TEST_CASE("losses of probabilities") {
  const HostArray p{{4}, {0.1, 0.5, 0.9, 0}};
  const HostArray y{{4}, {0, 0.3, 1, 1}};
  check([](auto&& x, auto&& t, auto&& r) { return sn::bce_loss(x, t, r); },
        [](double x, double t) {
          return -(t * std::max(std::log(x), -100.0) + (1 - t) * std::log(1 - x));
        },
        p, y);
  check([](auto&& x, auto&& t, auto&& r) { return sn::bce_with_logits(x, t, r); },
        [](double x, double t) { return std::log1p(std::exp(x)) - x * t; },
        {{5}, {-3, -0.5, 0, 2, 25}}, {{5}, {0, 0.3, 1, 1, 1}});
  check([](auto&& x, auto&& t, auto&& r) { return sn::kl_div(x, t, r); },
        [](double x, double t) { return t == 0 ? 0 : t * (std::log(t) - x); },
        {{3}, {-1, -0.5, -2}}, {{3}, {0.2, 0, 0.8}});
  check([](auto&& x, auto&& t, auto&& r) { return sn::hinge_loss(x, t, 1, r); },
        [](double x, double t) { return std::max(0.0, 1 - x * t); }, {{3}, {0.5, -2, 3}},
        {{3}, {1, 1, -1}});
}

TEST_CASE("a small loss of a certain logit keeps its digits") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::bce_with_logits(t[0], t[1], "sum")};
      },
      {{{1}, {25}}, {{1}, {1}}});

  CHECK(results[0].values[0] == doctest::Approx(std::log1p(std::exp(-25.0))).epsilon(1e-5));
}

TEST_CASE("cross entropy of labels: smoothing, ignored labels, all reductions") {
  const HostArray x = make_array({4, 5});
  const HostArray labels{{4}, {2, -100, 0, 4}, DType::I64};
  for (const double smoothing : {0.0, 0.2}) {
    std::vector<double> each;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto logs = log_softmax({x.values.begin() + static_cast<std::ptrdiff_t>(i * 5),
                                     x.values.begin() + static_cast<std::ptrdiff_t>(i * 5 + 5)});
      const double all = std::accumulate(logs.begin(), logs.end(), 0.0);
      const double label = labels.values[i];
      each.push_back(label < 0 ? 0
                               : -(1 - smoothing) * logs[static_cast<std::size_t>(label)] -
                                     smoothing / 5 * all);
    }
    const double sum = std::accumulate(each.begin(), each.end(), 0.0);

    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          const auto loss = [&](const char* reduction) {
            return sn::cross_entropy(t[0], t[1], {.smoothing = smoothing, .reduction = reduction});
          };
          return {loss("none"), loss("mean"), loss("sum"),
                  sn::nll_loss(sn::log_softmax(t[0], 1), t[1])};
        },
        {x, labels});

    CHECK(difference(results[0], {4}, each) == "");
    CHECK(difference(results[1], {}, {sum / 3}) == "");
    CHECK(difference(results[2], {}, {sum}) == "");
    if (smoothing == 0) CHECK(difference(results[3], {}, {sum / 3}) == "");
  }
}

TEST_CASE("cross entropy of probabilities") {
  const std::vector<double> x{1, 2, 4};
  const std::vector<double> y{0.2, 0.3, 0.5};
  const auto logs = log_softmax(x);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i) expected -= (y[i] * 0.9 + 0.1 / 3) * logs[i];

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::cross_entropy(t[0], t[1], {.smoothing = 0.1})};
      },
      {{{1, 3}, x}, {{1, 3}, y}});

  CHECK(difference(results[0], {}, {expected}) == "");
}

TEST_CASE("losses along an axis") {
  // (3, 4) is 5 from (0, 0) and sqrt(2) from (4, 3), with a cosine of 24 / 25 to the latter.
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::cosine_similarity(t[0], t[1]), sn::triplet_loss(t[0], t[2], t[1], -1, 0.5),
                sn::triplet_loss(t[0], t[1], t[2], -1, 0.5, "sum")};
      },
      {{{1, 2}, {3, 4}}, {{1, 2}, {4, 3}}, {{1, 2}, {0, 0}}});

  CHECK(difference(results[0], {1}, {0.96}) == "");
  CHECK(difference(results[1], {}, {5.5 - std::sqrt(2.0)}) == "");
  CHECK(difference(results[2], {}, {0}) == "");
}

TEST_CASE("losses refuse other reductions, labels and dtypes") {
  const auto message = [](const HostArray& b, const std::function<Tensor(Tensor, Tensor)>& loss) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {loss(t[0], t[1])}; },
          {make_array({2, 3}), b});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };

  CHECK(has(message(make_array({2, 3}), [](auto a, auto b) { return sn::mse_loss(a, b, "max"); }),
            "mse_loss: variant 'max' is none of none, mean, sum"));
  CHECK(has(message(make_array({2, 3}), [](auto a, auto b) { return sn::nll_loss(a, b); }),
            "nll_loss: labels must be integers of shape [2]; given f32[2, 3]"));
  CHECK(has(
      message(make_array({2, 3}, 0, DType::F64), [](auto a, auto b) { return sn::l1_loss(a, b); }),
      "operands of one dtype are needed; given f32[2, 3] and f64[2, 3]: cast operand 0 to f64"));
}

}  // namespace sinter::tests
