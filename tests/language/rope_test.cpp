// Turned pairs.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

TEST_CASE("rope turns pairs of halves or neighbours") {
  // (1, 2) turned by a quarter is (-2, 1); (3, 4) by half is (-3, -4).
  const HostArray cosines{{2}, {0, -1}};
  const HostArray sines{{2}, {1, 0}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::rope(t[0], t[2], t[3]), sn::rope(t[1], t[2], t[3], "interleaved")};
      },
      {{{1, 4}, {1, 3, 2, 4}}, {{1, 4}, {1, 2, 3, 4}}, cosines, sines});

  CHECK(difference(results[0], {1, 4}, {-2, -3, 1, -4}) == "");
  CHECK(difference(results[1], {1, 4}, {-2, 1, -3, -4}) == "");
}

TEST_CASE("rope by positions turns pair i by position * base^(-2 i / d)") {
  const HostArray x = make_array({2, 3, 8});
  const HostArray positions{{3}, {0, 7, 1000003}, DType::I32};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::rope_positions(t[0], t[1]),
                sn::rope_positions(t[0], t[1], 500000, "interleaved")};
      },
      {x, positions});

  const auto direct = [&](double base, bool interleaved) {
    std::vector<double> values(48);
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t i = 0; i < 4; ++i) {
        const double angle =
            positions.values[row % 3] * std::pow(base, -2 * static_cast<double>(i) / 8);
        const std::size_t a = row * 8 + (interleaved ? 2 * i : i);
        const std::size_t b = interleaved ? a + 1 : a + 4;
        values[a] = x.values[a] * std::cos(angle) - x.values[b] * std::sin(angle);
        values[b] = x.values[b] * std::cos(angle) + x.values[a] * std::sin(angle);
      }
    }
    return values;
  };
  // Large positions keep their angles.
  CHECK(difference(results[0], {2, 3, 8}, direct(10000, false), 1e-6) == "");
  CHECK(difference(results[1], {2, 3, 8}, direct(500000, true), 1e-6) == "");
}

TEST_CASE("positions for each sequence and head broadcast; those that do not fit are refused") {
  const HostArray x{{2, 1, 2}, {1, 0, 1, 0}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::rope_positions(t[0], t[1])};
      },
      {x, {{2, 1}, {1, -2}, DType::I64}});

  CHECK(difference(results[0], {2, 1, 2}, {std::cos(1), std::sin(1), std::cos(2), -std::sin(2)}) ==
        "");
  const auto refused = [&](const HostArray& positions) {
    run_on_host(
        [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::rope_positions(t[0], t[1])};
        },
        {x, positions});
  };
  CHECK_THROWS_WITH_AS(refused(make_array({1})), doctest::Contains("integer indices are needed"),
                       UserError);
  CHECK_THROWS_WITH_AS(
      refused({{2, 1, 2}, {0, 0, 0, 0}, DType::I32}),
      doctest::Contains("positions for the dimensions of f32[2, 1, 2] but the last are needed"),
      UserError);
}

}  // namespace sinter::tests
