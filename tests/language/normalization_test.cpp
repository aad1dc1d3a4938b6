// Norms of channels against two passes in f64.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

/// Normalizes elements of equal `group(i)` together: (x - mean) / sqrt(variance + epsilon).
template <typename F>
std::vector<double> normalize(const std::vector<double>& x, std::size_t groups, const F& group,
                              std::vector<double>* means, std::vector<double>* variances) {
  std::vector<double> sums(groups, 0), squares(groups, 0), counts(groups, 0), result;
  for (std::size_t i = 0; i < x.size(); ++i) sums[group(i)] += x[i], ++counts[group(i)];
  for (std::size_t g = 0; g < groups; ++g) sums[g] /= counts[g];
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares[group(i)] += (x[i] - sums[group(i)]) * (x[i] - sums[group(i)]);
  }
  for (std::size_t g = 0; g < groups; ++g) squares[g] /= counts[g];
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back((x[i] - sums[group(i)]) / std::sqrt(squares[group(i)] + 1e-5));
  }
  if (means) *means = sums;
  if (variances) *variances = squares;
  return result;
}

}  // namespace

TEST_CASE("group, instance and batch norms, with weight and bias") {
  const HostArray x = make_array({2, 4, 3});
  const HostArray weight{{4}, {1, 2, 3, 4}};
  const HostArray bias{{4}, {0.5, 0, -0.5, 1}};
  const auto affine = [&](std::vector<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = values[i] * weight.values[i / 3 % 4] + bias.values[i / 3 % 4];
    }
    return values;
  };

  for (const bool named : {false, true}) {
    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          const BatchNormOptions options{.weight = t[1], .bias = t[2]};
          const BatchNormResult batch = sn::batch_norm_train(t[0], options);
          const Tensor groups =
              named ? sn::instance_norm(t[0]) : sn::group_norm(t[0], 2, t[1], t[2]);
          return {groups,         sn::instance_norm(t[0], t[1], t[2]),
                  batch.result,   batch.mean,
                  batch.variance, sn::batch_norm(t[0], batch.mean, batch.variance, options)};
        },
        {x, weight, bias}, named);

    std::vector<double> means;
    std::vector<double> variances;
    const auto batch = normalize(
        x.values, 4, [](std::size_t i) { return i / 3 % 4; }, &means, &variances);
    const auto group = normalize(
        x.values, 4, [](std::size_t i) { return i / 6; }, nullptr, nullptr);
    const auto instance = normalize(
        x.values, 8, [](std::size_t i) { return i / 3; }, nullptr, nullptr);
    CHECK(difference(results[0], x.shape, named ? instance : affine(group)) == "");
    CHECK(difference(results[1], x.shape, affine(instance)) == "");
    CHECK(difference(results[2], x.shape, affine(batch)) == "");
    CHECK(difference(results[3], {4}, means) == "");
    CHECK(difference(results[4], {4}, variances) == "");
    CHECK(difference(results[5], x.shape, affine(batch)) == "");
  }
}

TEST_CASE("groups that do not divide the channels are refused, as are other weights") {
  const auto message = [](int groups, const HostArray& weight) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::group_norm(t[0], groups, t[1])};
          },
          {make_array({2, 4, 3}), weight});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };

  CHECK(message(3, make_array({4}))
            .find("group_norm: dimension 1 of f32[2, 4, 3] is no multiple of 3 groups") !=
        std::string::npos);
  CHECK(message(2, make_array({3})).find("group_norm: operand 1 must be f32[4]; given f32[3]") !=
        std::string::npos);
}

}  // namespace sinter::tests
