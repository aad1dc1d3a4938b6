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

TEST_CASE("groups along an axis have a scale each; the last may be shorter") {
  const HostArray x{{2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  const HostArray scale{{2, 3}, {1, 0.5, 0.25, 2, 1, 0.5}};
  const HostArray zero{{1, 3}, {0, 10, 20}, DType::I32};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const sn::QuantizeOptions groups{.zero_point = t[2], .axis = -1, .group = 2};
        const Tensor q = sn::quantize(t[0], t[1], DType::I8, groups);
        return {q, sn::dequantize(q, t[1], DType::F32, groups)};
      },
      {x, scale, zero});

  // Groups are columns 0 and 1, 2 and 3, and 4: x / scale + zero point.
  CHECK(results[0].values == std::vector<double>{1, 2, 16, 18, 40, 3, 4, 18, 19, 40});
  CHECK(results[1].values == std::vector<double>{1, 2, 3, 4, 5, 6, 8, 8, 9, 10});
}

TEST_CASE("four bits saturate, and travel two in a byte, the low half first") {
  const HostArray x{{2, 4}, {-100, -1, 0, 7, 100, 3, -8, 1}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const Tensor q = sn::quantize(t[0], t[1], DType::I8, {.bits = 4});
        const Tensor packed = sn::pack4(q);
        const Tensor natural = sn::quantize(t[0], t[1], DType::U8, {.bits = 4});
        return {packed, sn::unpack4(packed), sn::unpack4(sn::pack4(natural, 0), false, 0),
                sn::dequantize(sn::unpack4(packed), t[2], DType::F32, {.axis = 1, .group = 2})};
      },
      {x, {{}, {1}}, {{2, 2}, {1, 2, 3, 4}}});

  // -8 and -1 are 0x8 and 0xf; 0, 7: 0x0, 0x7; 7, 3; -8, 1.
  CHECK(results[0].dtype == DType::U8);
  CHECK(results[0].shape == std::vector<std::int64_t>{2, 2});
  CHECK(results[0].values == std::vector<double>{0xf8, 0x70, 0x37, 0x18});
  CHECK(results[1].dtype == DType::I8);
  CHECK(results[1].values == std::vector<double>{-8, -1, 0, 7, 7, 3, -8, 1});
  CHECK(results[2].dtype == DType::U8);
  CHECK(results[2].values == std::vector<double>{0, 0, 0, 7, 15, 3, 0, 1});
  CHECK(results[3].values == std::vector<double>{-8, -1, 0, 14, 21, 9, -32, 4});
}

TEST_CASE("groups, bits and bytes that do not fit are refused") {
  const auto message = [](const std::function<Tensor(const std::vector<Tensor>&)>& function) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {function(t)}; },
          {make_array({2, 3}), {{2, 2}, {1, 1, 1, 1}}, {{4}, {1, 2, 3, 4}, DType::I32}});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string();
  };
  using Tensors = std::vector<Tensor>;

  CHECK(
      message([](const Tensors& t) {
        return sn::quantize(t[0], t[1], DType::I8, {.axis = 0, .group = 2});
      }) ==
      "quantize: operand 1 must have rank 0 or the shape [1, 3], of groups of 2; given f32[2, 2]");
  CHECK(message([](const Tensors& t) {
          return sn::quantize(t[0], t[1], DType::I8, {.axis = 0, .group = 0});
        }) == "quantize: group 0 is below 1");
  CHECK(message([](const Tensors& t) {
          return sn::quantize(t[0], t[1], DType::I8, {.axis = 1, .group = 2, .bits = 9});
        }) == "quantize: bits 9 of i8; a number up to the width of an integer is needed");
  CHECK(message([](const Tensors& t) { return sn::unpack4(t[2]); }) ==
        "unpack4: it takes u8; given i32[4]");
  CHECK(message([](const Tensors& t) { return sn::pack4(sn::cast(t[0], DType::I8)); }) ==
        "pack4: dimension 1 of i8[2, 3] cannot be halved");
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
