// Norms, losses, rope and attention of narrow floats beside f32, against loops in f64.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

constexpr double kBf16 = 0x1p-7;  // one rounding, and what a sum adds to it

/// A weight that bf16 does not hold.
HostArray make_weight(std::int64_t count, double base) {
  HostArray weight{{count}, {}};
  for (std::int64_t i = 0; i < count; ++i) {
    weight.values.push_back(static_cast<float>(base + 0.003 * static_cast<double>(i)));
  }
  return weight;
}

std::vector<DType> dtypes_of(const std::vector<HostArray>& arrays) {
  std::vector<DType> dtypes;
  for (const HostArray& array : arrays) dtypes.push_back(array.dtype);
  return dtypes;
}

}  // namespace

TEST_CASE("norms of rows: an f32 weight and bias beside a narrow operand") {
  for (const DType dtype : {DType::BF16, DType::F16}) {
    const HostArray x = make_array({3, 4}, 0, dtype);
    const HostArray weight = make_weight(4, 1);
    const HostArray bias = make_weight(4, 0.1);

    const auto results = run_on_host(
        [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::layer_norm(t[0], t[1], t[2]), sn::rms_norm(t[0], t[1])};
        },
        {x, weight, bias});

    std::vector<double> layer;
    std::vector<double> rms;
    for (std::size_t i = 0; i < 12; ++i) {
      const auto row = x.values.begin() + static_cast<std::ptrdiff_t>(i / 4 * 4);
      double mean = 0, variance = 0, square = 0;
      for (int c = 0; c < 4; ++c) mean += row[c] / 4, square += row[c] * row[c] / 4;
      for (int c = 0; c < 4; ++c) variance += (row[c] - mean) * (row[c] - mean) / 4;
      const double w = weight.values[i % 4];
      layer.push_back((x.values[i] - mean) / std::sqrt(variance + 1e-5) * w + bias.values[i % 4]);
      rms.push_back(x.values[i] / std::sqrt(square + 1e-6) * w);
    }
    CHECK(dtypes_of(results) == std::vector<DType>{dtype, dtype});
    CHECK(difference(results[0], {3, 4}, layer, kBf16) == "");
    CHECK(difference(results[1], {3, 4}, rms, kBf16) == "");
  }
}

TEST_CASE(
    "norms of channels take f32 statistics and weights; a narrow weight does not narrow f32") {
  const HostArray x = make_array({2, 4, 3}, 0, DType::BF16);
  const HostArray wide{x.shape, x.values};
  const HostArray mean = make_weight(4, 0.2);
  const HostArray variance = make_weight(4, 0.9);
  HostArray narrow{{4}, {1, 0.5, 2, 1.5}, DType::BF16};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::batch_norm(t[0], t[1], t[2]), sn::group_norm(t[0], 2, t[1], t[2]),
                sn::instance_norm(t[0], t[1]), sn::batch_norm_train(t[0], {.weight = t[1]}).result,
                sn::batch_norm(t[3], t[1], t[2], {.weight = t[4]})};
      },
      {x, mean, variance, wide, narrow});

  std::vector<double> expected;
  std::vector<double> scaled;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const std::size_t c = i / 3 % 4;
    expected.push_back((x.values[i] - mean.values[c]) / std::sqrt(variance.values[c] + 1e-5));
    scaled.push_back(expected.back() * narrow.values[c]);
  }
  using enum DType;
  CHECK(dtypes_of(results) == std::vector<DType>{BF16, BF16, BF16, BF16, F32});
  CHECK(difference(results[0], x.shape, expected, kBf16) == "");
  CHECK(difference(results[4], x.shape, scaled) == "");
}

TEST_CASE("losses of two dtypes are f32, of one narrow dtype narrow") {
  const HostArray a = make_array({2, 3}, 0, DType::BF16);
  const HostArray b = make_array({2, 3}, 1);

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor half = sn::cast(t[1], DType::F16);
        return {sn::mse_loss(t[0], t[1]), sn::mse_loss(t[1], t[0]), sn::l1_loss(t[0], half, "none"),
                sn::cosine_similarity(t[0], t[1], 1), sn::mse_loss(t[0], t[0])};
      },
      {a, b});

  double squares = 0;
  for (std::size_t i = 0; i < 6; ++i) squares += std::pow(a.values[i] - b.values[i], 2) / 6;
  using enum DType;
  CHECK(dtypes_of(results) == std::vector<DType>{F32, F32, F32, F32, BF16});
  CHECK(difference(results[0], {}, {squares}) == "");
  CHECK(difference(results[1], {}, {squares}) == "");
}

TEST_CASE("attention takes an f32 mask and slopes, rope f32 tables, beside bf16") {
  const HostArray q = make_array({1, 2, 2}, 0, DType::BF16);
  const HostArray k = make_array({1, 2, 2}, 1, DType::BF16);
  const HostArray v{{1, 2, 1}, {1, 0}, DType::BF16};
  const HostArray mask{{2, 2}, {0, 0.703, -1.001, 0.25}};
  const HostArray angles = make_weight(1, 0.3);

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::attention(t[0], t[1], t[2], {.mask = t[3]}),
                sn::rope(t[0], sn::cos(t[4]), sn::sin(t[4]))};
      },
      {q, k, v, mask, angles});

  std::vector<double> weights;  // of key 0, the only one whose value is not 0
  std::vector<double> turned;
  for (std::size_t i = 0; i < 2; ++i) {
    double e[2];
    for (std::size_t j = 0; j < 2; ++j) {
      const double product =
          q.values[2 * i] * k.values[2 * j] + q.values[2 * i + 1] * k.values[2 * j + 1];
      e[j] = std::exp(product / std::sqrt(2.0) + mask.values[2 * i + j]);
    }
    weights.push_back(e[0] / (e[0] + e[1]));
    const double cosine = std::cos(angles.values[0]), sine = std::sin(angles.values[0]);
    turned.push_back(q.values[2 * i] * cosine - q.values[2 * i + 1] * sine);
    turned.push_back(q.values[2 * i + 1] * cosine + q.values[2 * i] * sine);
  }
  CHECK(dtypes_of(results) == std::vector<DType>{DType::BF16, DType::BF16});
  CHECK(difference(results[0], {1, 2, 1}, weights, kBf16) == "");
  CHECK(difference(results[1], {1, 2, 2}, turned, kBf16) == "");
}

TEST_CASE("each gradient has the dtype of its operand") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor y = sn::rms_norm(t[0], t[1]);
        return sn::gradients({sn::sum(sn::cast(y, DType::F32))}, {t[0], t[1]});
      },
      {make_array({3, 4}, 0, DType::BF16), make_weight(4, 1)});

  CHECK(dtypes_of(results) == std::vector<DType>{DType::BF16, DType::F32});
}

}  // namespace sinter::tests
