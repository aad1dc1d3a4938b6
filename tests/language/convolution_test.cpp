// Convolutions against direct loops over all places and window elements.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using Extents = std::vector<std::int64_t>;

struct ConvolutionSweep {
  std::int64_t stride, dilation, low, high, groups, output_padding;
  std::string text() const {
    return fmt::format("stride {} dilation {} padding {}, {} groups {} output_padding {}", stride,
                       dilation, low, high, groups, output_padding);
  }
};

std::size_t at(const HostArray& a, Extents index) {
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < index.size(); ++d) flat = flat * a.shape[d] + index[d];
  return static_cast<std::size_t>(flat);
}

/// y[n, o, p] += x[n, c, p stride + k dilation - low] w[o, c, k], over the channels of o's group.
HostArray direct_conv(const HostArray& x, const HostArray& w, const ConvolutionSweep& s) {
  const auto places = [&](std::size_t d) {
    return (x.shape[d] + s.low + s.high - s.dilation * (w.shape[d] - 1) - 1) / s.stride + 1;
  };
  HostArray y{{x.shape[0], w.shape[0], places(2), places(3)}, {}};
  y.values.assign(static_cast<std::size_t>(y.shape[0] * y.shape[1] * y.shape[2] * y.shape[3]), 0);
  const std::int64_t out = w.shape[0] / s.groups;
  for (std::int64_t n = 0; n < y.shape[0]; ++n)
    for (std::int64_t o = 0; o < y.shape[1]; ++o)
      for (std::int64_t p = 0; p < y.shape[2]; ++p)
        for (std::int64_t q = 0; q < y.shape[3]; ++q)
          for (std::int64_t c = 0; c < w.shape[1]; ++c)
            for (std::int64_t k = 0; k < w.shape[2]; ++k)
              for (std::int64_t l = 0; l < w.shape[3]; ++l) {
                const std::int64_t i = p * s.stride + k * s.dilation - s.low;
                const std::int64_t j = q * s.stride + l * s.dilation - s.low;
                if (i < 0 || j < 0 || i >= x.shape[2] || j >= x.shape[3]) continue;
                y.values[at(y, {n, o, p, q})] +=
                    x.values[at(x, {n, o / out * w.shape[1] + c, i, j})] *
                    w.values[at(w, {o, c, k, l})];
              }
  return y;
}

/// y[n, o, i stride + k dilation - low] += x[n, c, i] w[c, o, k], where that is an element.
HostArray direct_transpose(const HostArray& x, const HostArray& w, const ConvolutionSweep& s) {
  const auto extent = [&](std::size_t d) {
    return (x.shape[d] - 1) * s.stride - s.low - s.high + s.dilation * (w.shape[d] - 1) + 1 +
           s.output_padding;
  };
  const std::int64_t part = w.shape[1];
  HostArray y{{x.shape[0], part * s.groups, extent(2), extent(3)}, {}};
  y.values.assign(static_cast<std::size_t>(y.shape[0] * y.shape[1] * y.shape[2] * y.shape[3]), 0);
  const std::int64_t in = x.shape[1] / s.groups;
  for (std::int64_t n = 0; n < x.shape[0]; ++n)
    for (std::int64_t c = 0; c < x.shape[1]; ++c)
      for (std::int64_t o = 0; o < part; ++o)
        for (std::int64_t i = 0; i < x.shape[2]; ++i)
          for (std::int64_t j = 0; j < x.shape[3]; ++j)
            for (std::int64_t k = 0; k < w.shape[2]; ++k)
              for (std::int64_t l = 0; l < w.shape[3]; ++l) {
                const std::int64_t p = i * s.stride + k * s.dilation - s.low;
                const std::int64_t q = j * s.stride + l * s.dilation - s.low;
                if (p < 0 || q < 0 || p >= y.shape[2] || q >= y.shape[3]) continue;
                y.values[at(y, {n, c / in * part + o, p, q})] +=
                    x.values[at(x, {n, c, i, j})] * w.values[at(w, {c, o, k, l})];
              }
  return y;
}

ConvOptions options_of(const ConvolutionSweep& s) {
  ConvOptions options;
  options.stride = {s.stride};
  options.dilation = {s.dilation};
  options.padding = {s.low};
  options.padding_high = Extents{s.high};
  options.groups = static_cast<int>(s.groups);
  if (s.output_padding != 0) options.output_padding = {s.output_padding};
  return options;
}

}  // namespace

TEST_CASE("trap B14: conv agrees with direct loops for strides, dilations, paddings and groups") {
  for (const ConvolutionSweep& s :
       {ConvolutionSweep{1, 1, 0, 0, 1, 0}, ConvolutionSweep{2, 1, 1, 1, 2, 0},
        ConvolutionSweep{1, 2, 3, 0, 4, 0}, ConvolutionSweep{3, 2, 2, 4, 1, 0},
        ConvolutionSweep{1, 1, -1, 1, 2, 0}}) {
    const HostArray x = make_array({2, 4, 7, 6});
    const HostArray w = make_array({8, 4 / s.groups, 3, 2}, 1);
    const HostArray expected = direct_conv(x, w, s);

    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          const Tensor last =
              sn::conv(sn::permute(t[0], {0, 2, 3, 1}), sn::permute(t[1], {0, 2, 3, 1}), [&] {
                ConvOptions options = options_of(s);
                options.layout = "nhwc";
                return options;
              }());
          return {sn::conv(t[0], t[1], options_of(s)), sn::permute(last, {0, 3, 1, 2}) * 1};
        },
        {x, w});

    for (const HostArray& result : results) {
      CHECK_MESSAGE(difference(result, expected.shape, expected.values).empty(), s.text(), ": ",
                    difference(result, expected.shape, expected.values));
    }
  }
}

TEST_CASE("trap B14: many groups, and padding wider than the window on a permuted operand") {
  const ConvolutionSweep groups{1, 1, 1, 1, 16, 0};
  const HostArray x = make_array({1, 16, 5, 4});
  const HostArray w = make_array({128, 1, 3, 3}, 1);
  const ConvolutionSweep wide{1, 1, 7, 7, 1, 0};
  const HostArray narrow = make_array({2, 3, 2, 3}, 2);

  const auto results = run_on_host(
      [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor permuted = sn::permute(t[2], {3, 2, 0, 1});  // [3, 2, 2, 3]
        return {sn::conv(t[0], t[1], options_of(groups)),
                sn::conv(permuted, permuted, options_of(wide)), permuted * 1};
      },
      {x, w, narrow});
  const HostArray expected = direct_conv(x, w, groups);
  const HostArray wide_expected = direct_conv(results[2], results[2], wide);

  CHECK(difference(results[0], expected.shape, expected.values) == "");
  CHECK(difference(results[1], wide_expected.shape, wide_expected.values) == "");
}

TEST_CASE("trap B14: conv_transpose agrees with direct loops") {
  for (const ConvolutionSweep& s :
       {ConvolutionSweep{1, 1, 0, 0, 1, 0}, ConvolutionSweep{2, 1, 1, 1, 1, 1},
        ConvolutionSweep{2, 2, 0, 1, 2, 0}, ConvolutionSweep{3, 1, 2, 3, 4, 2},
        ConvolutionSweep{1, 2, 4, 0, 2, 0}}) {
    const HostArray x = make_array({1, 4, 7, 7});
    const HostArray w = make_array({4, 2, 3, 2}, 1);
    const HostArray expected = direct_transpose(x, w, s);

    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::conv_transpose(t[0], t[1], options_of(s))};
        },
        {x, w});

    CHECK_MESSAGE(difference(results[0], expected.shape, expected.values).empty(), s.text(), ": ",
                  difference(results[0], expected.shape, expected.values));
  }
}

TEST_CASE("one and three dimensions, a bias, and extents that only the call knows") {
  // numpy: np.convolve([1, 2, 3, 4], [1, 0, -1][::-1], 'valid') is what conv gives without padding.
  const HostArray x{{1, 1, 4}, {1, 2, 3, 4}};
  const HostArray w{{1, 1, 3}, {1, 0, -1}};
  const HostArray cube{{1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  const HostArray ones{{1, 1, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}};
  const HostArray bias{{1}, {100}};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::conv(t[0], t[1], {.padding = {1}, .bias = t[4]}), sn::conv(t[2], t[3])};
      },
      {x, w, cube, ones, bias});

  CHECK(difference(results[0], {1, 1, 4}, {98, 98, 98, 103}) == "");
  CHECK(difference(results[1], {1, 1, 1, 1, 1}, {36}) == "");
}

TEST_CASE("operands of conv that do not fit are refused with what is needed") {
  const auto message = [](const Extents& x, const Extents& w, const ConvOptions& options) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::conv(t[0], t[1], options)};
          },
          {make_array(x), make_array(w)});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find("conv: ") == std::string::npos ? 0 : text.find("conv: "));
    }
    return std::string();
  };

  CHECK(
      message({1, 4}, {4, 4}, {}) ==
      "conv: it needs an operand of rank 3 to 5 and a weight of the same rank; given f32[1, 4] and "
      "f32[4, 4]");
  CHECK(message({1, 4, 5}, {4, 3, 2}, {}).starts_with("conv: the operand has 4 channels"));
  CHECK(message({1, 4, 5}, {4, 4, 2}, {.stride = {0}}) == "conv: step 0 is below 1");
  CHECK(message({1, 4, 5}, {4, 4, 2}, {.layout = "cwh"}) ==
        "conv: variant 'cwh' is none of nchw, nhwc");
  CHECK(
      message({1, 4, 5}, {3, 2, 2}, {.groups = 2}).starts_with("conv: dimension 0 of the weight"));
}

}  // namespace sinter::tests
