// Activations against their formulas in f64, where they are small, large and not finite.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;

using Formula = double (*)(double);

double softplus_of(double x) { return std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0); }

/// Relative to the expected value, for small results too. The argument of gelu's erfc is rounded once,
/// to u relative: its results move by x^2 u.
void check_relative(const HostArray& given, const std::vector<double>& x, Formula formula,
                    double square_factor) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = static_cast<double>(static_cast<float>(formula(x[i])));
    CHECK_MESSAGE(std::abs(given.values[i] - expected) <=
                      (2e-6 + square_factor * x[i] * x[i]) * std::abs(expected),
                  x[i], ": ", given.values[i], " is not ", expected);
  }
}

const std::vector<double> kPoints{-40,   -12,  -8.5, -5,   -3,   -1.5, -0.75, -0.25,
                                  -1e-3, 1e-4, 1e-3, 0.25, 0.75, 1.5,  4,     30};

}  // namespace

TEST_CASE("activations keep their relative accuracy in both tails") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor& x = t[0];
        return {sn::gelu(x), sn::elu(x, 0.5), sn::selu(x),       sn::celu(x, 2),
                sn::mish(x), sn::softplus(x), sn::logsigmoid(x), sn::softplus(x, 3)};
      },
      {{{16}, kPoints}});

  const std::vector<Formula> formulas{
      [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); },
      [](double x) { return x > 0 ? x : 0.5 * std::expm1(x); },
      [](double x) {
        return 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * std::expm1(x));
      },
      [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); },
      [](double x) { return x * std::tanh(softplus_of(x)); },
      softplus_of,
      [](double x) { return -softplus_of(-x); },
      [](double x) { return softplus_of(3 * x) / 3; }};
  for (std::size_t f = 0; f < formulas.size(); ++f) {
    CAPTURE(f);
    check_relative(results[f], kPoints, formulas[f], f == 0 ? 0x1p-24 : 0);
  }
}

TEST_CASE("activations of infinities and NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::elu(t[0]), sn::softplus(t[0]), sn::logsigmoid(t[0]), sn::gelu(t[0]),
                sn::mish(t[0])};
      },
      {{{3}, {kInfinity, -kInfinity, nan}}});

  CHECK(difference(results[0], {3}, {kInfinity, -1, nan}) == "");
  CHECK(difference(results[1], {3}, {kInfinity, 0, nan}) == "");
  CHECK(difference(results[2], {3}, {0, -kInfinity, nan}) == "");
  // -inf times a 0, as in silu.
  CHECK(difference(results[3], {3}, {kInfinity, nan, nan}) == "");
  CHECK(difference(results[4], {3}, {kInfinity, nan, nan}) == "");
}

TEST_CASE("glu with the exact gelu") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::glu(t[0], -1, "gelu")};
      },
      {{{2, 4}, {1, 2, 1, -1, 3, 4, 0, 2}}});

  // numpy/scipy: x * g / 2 * erfc(-g / sqrt(2)).
  CHECK(difference(results[0], {2, 2}, {0.841344746, -0.317310508, 0, 7.817998944}) == "");
}

TEST_CASE("parameters that no activation has are refused") {
  const auto message = [](auto function) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {function(t[0])}; },
          {{{1}, {1}}});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string();
  };

  CHECK(message([](const Tensor& x) { return sn::softplus(x, 0); }) ==
        "softplus: beta 0 is not positive");
  CHECK(message([](const Tensor& x) { return sn::celu(x, 0); }) ==
        "celu: alpha is 0, by which a is divided");
}

}  // namespace sinter::tests
