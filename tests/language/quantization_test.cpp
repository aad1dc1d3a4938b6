// Small integers and f8 with a scale.
#include <doctest/doctest.h>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

TEST_CASE("quantize rounds to even, adds the zero point and saturates") {
  const HostArray x{{6}, {0.25, 0.75, -0.75, 100, -100, 1}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor q = sn::quantize(t[0], t[1], DType::I8, t[2]);
        return {q, sn::dequantize(q, t[1], DType::F32, t[2])};
      },
      {x, {{}, {0.5}}, {{}, {10}, DType::I32}});

  // x / 0.5 = 0.5, 1.5, -1.5, 200, -200, 2; to even 0, 2, -2; plus 10, within [-128, 127].
  CHECK(results[0].dtype == DType::I8);
  CHECK(results[0].values == std::vector<double>{10, 12, 8, 127, -128, 12});
  CHECK(results[1].values == std::vector<double>{0, 1, -1, 58.5, -69, 1});
}

TEST_CASE("a scale and a zero point for each channel") {
  const HostArray x{{2, 2}, {1, 2, 3, 4}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor q = sn::quantize(t[0], t[1], DType::U8, t[2], 0);
        return {q, sn::dequantize(q, t[1], DType::BF16, t[2], 0)};
      },
      {x, {{2}, {1, 0.5}}, {{2}, {0, 100}, DType::U8}});

  CHECK(results[0].values == std::vector<double>{1, 2, 106, 108});
  CHECK(results[1].dtype == DType::BF16);
  CHECK(results[1].values == x.values);
}

TEST_CASE("f8 saturates and rounds to its own steps") {
  const HostArray x{{3}, {1, 1.0625, 10000}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor q = sn::quantize(t[0], t[1], DType::F8E4M3);
        return {q, sn::dequantize(q, t[1])};
      },
      {x, {{}, {2}}});

  // e4m3 has 3 bits: 0.5, 0.53125 (to even 0.5), at most 448.
  CHECK(results[0].values == std::vector<double>{0.5, 0.5, 448});
  CHECK(results[1].values == std::vector<double>{1, 1, 896});
}

TEST_CASE("operands of quantize that do not fit are refused") {
  const auto message = [](DType dtype, const HostArray& scale, const HostArray& zero_point) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::quantize(t[0], t[1], dtype, t[2])};
          },
          {make_array({2, 3}), scale, zero_point});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const HostArray zero{{}, {0}, DType::I8};

  CHECK(has(message(DType::I64, {{}, {1}}, zero),
            "quantize: dtype i64 is none of i8, u8, i16, u16, f8e4m3, f8e5m2"));
  CHECK(has(message(DType::I8, make_array({3}), zero), "operand 1 must have rank 0, or rank 1"));
  CHECK(has(message(DType::F8E4M3, {{}, {1}}, zero), "f8 has no zero point"));
  CHECK(has(message(DType::I8, {{}, {1}}, {{}, {0}}), "the zero point must be an integer"));
}

}  // namespace sinter::tests
