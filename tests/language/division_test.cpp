// Whole quotients, their remainders and powers of integers, against C++ and against what Python gives.
#include <doctest/doctest.h>

#include <cmath>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;
using support::kNan;

std::vector<HostArray> divide(const std::vector<double>& a, const std::vector<double>& b,
                              DType dtype = DType::F32) {
  const auto extent = static_cast<std::int64_t>(a.size());
  return run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::floor_div(t[0], t[1]), t[0] % t[1], sn::trunc_div(t[0], t[1]),
                sn::rem(t[0], t[1])};
      },
      {{{extent}, a, dtype}, {{extent}, b, dtype}});
}

/// Equal values; zeros of equal sign; NaN where NaN.
void check_same(const HostArray& given, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(expected[i])) {
      CHECK(std::isnan(given.values[i]));
      continue;
    }
    CHECK(given.values[i] == expected[i]);
    CHECK(std::signbit(given.values[i]) == std::signbit(expected[i]));
  }
}

}  // namespace

TEST_CASE("floats: quotients are rounded down, remainders have the divisor's sign") {
  // numpy.floor_divide, mod, and trunc of the quotient, fmod; in float32.
  const auto results =
      divide({7, -7, 7, -7, 6, -6, 0.5, -0.5, 0, -0.0, 1}, {2, 2, -2, -2, 3, 3, 2, 2, 3, 3, -0.25});

  check_same(results[0], {3, -4, -4, 3, 2, -2, 0, -1, 0, -0.0, -4});
  check_same(results[1], {1, 1, -1, -1, 0, 0, 0.5, 1.5, 0, 0, -0.0});
  check_same(results[2], {3, -3, -3, 3, 2, -2, 0, -0.0, 0, -0.0, -4});
  check_same(results[3], {1, -1, 1, -1, 0, -0.0, 0.5, -0.5, 0, -0.0, 0});
}

TEST_CASE("floats: division by zero and of infinities") {
  const auto results =
      divide({1, -1, 0, kInfinity, 5, -5, kNan}, {0, 0, 0, 2, kInfinity, kInfinity, 1});

  check_same(results[0], {kInfinity, -kInfinity, kNan, kNan, 0, -1, kNan});
  check_same(results[1], {kNan, kNan, kNan, kNan, 5, kInfinity, kNan});
  check_same(results[2], {kInfinity, -kInfinity, kNan, kNan, 0, -0.0, kNan});
  check_same(results[3], {kNan, kNan, kNan, kNan, 5, -5, kNan});
}

TEST_CASE("float remainders are exact where the rounded quotient is not") {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> remainders;
  for (int i = 1; i <= 200; ++i) {
    const float x = std::ldexp(static_cast<float>(1 + i * 7919 % 1009), i % 30);
    const float y = 0.1F * static_cast<float>(1 + i * 104729 % 83);
    a.push_back(static_cast<double>(x));
    b.push_back(static_cast<double>(y));
    remainders.push_back(static_cast<double>(std::fmod(x, y)));
  }

  const auto results = divide(a, b);

  check_same(results[3], remainders);
  check_same(results[1], remainders);
}

TEST_CASE("integers: zero divisors and both roundings") {
  const auto results = divide({7, -7, 7, -7, 5}, {2, 2, -2, 0, 0}, DType::I32);

  CHECK(results[0].values == std::vector<double>{3, -4, -4, 0, 0});
  CHECK(results[1].values == std::vector<double>{1, 1, -1, -7, 5});
  CHECK(results[2].values == std::vector<double>{3, -3, -3, 0, 0});
  CHECK(results[3].values == std::vector<double>{1, -1, 1, -7, 5});
}

TEST_CASE("powers of integers wrap; negative exponents give what the fraction truncates to") {
  const auto power = [](const std::vector<double>& a, const std::vector<double>& b, DType dtype) {
    const auto extent = static_cast<std::int64_t>(a.size());
    return run_on_host(
        [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::pow(t[0], t[1]), sn::pow(t[0], 3)};
        },
        {{{extent}, a, dtype}, {{extent}, b, dtype}});
  };

  const auto wide = power({2, -3, 7, 0, 10, 1, -1, -1, 2, 0, 3},
                          {10, 5, 0, 0, 18, -7, -7, -8, -1, -1, 41}, DType::I64);
  // 3^41 modulo 2^64, in two's complement: Python's (3**41 + 2**63) % 2**64 - 2**63.
  CHECK(wide[0].values ==
        std::vector<double>{1024, -243, 1, 1, 1e18, 1, -1, 1, 0, 0, -420491770248316829.0});
  CHECK(wide[1].values[1] == -27);
  const auto small = power({3, 2, -2}, {5, 7, 7}, DType::I8);
  CHECK(small[0].values == std::vector<double>{-13, -128, -128});
  const auto natural = power({3, 2}, {6, 8}, DType::U8);
  CHECK(natural[0].values == std::vector<double>{217, 0});
}

}  // namespace sinter::tests
