// Rounding into the narrow float formats, once and to nearest even.
#include <doctest/doctest.h>

#include <cmath>

#include "ir/literal.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;

double rounded(DType dtype, double value) {
  return decode_float(dtype, encode_float(dtype, value));
}

}  // namespace

TEST_CASE("every pattern of a narrow format decodes and encodes to itself") {
  for (const DType dtype : {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16}) {
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << bits(dtype)); ++pattern) {
      const double value = decode_float(dtype, pattern);
      const bool saturates = std::isinf(value) && dtype == DType::F8E5M2;
      if (std::isnan(value) || saturates) continue;

      REQUIRE(encode_float(dtype, value) == pattern);
    }
  }
}

TEST_CASE("a value halfway between two neighbours rounds to the even one, others to the nearer") {
  for (const DType dtype : {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16}) {
    const std::uint64_t largest = encode_float(dtype, 1e300) - (bits(dtype) == 16 ? 1 : 0);
    for (std::uint64_t pattern = 0; pattern < largest; ++pattern) {
      const double low = decode_float(dtype, pattern);
      const double high = decode_float(dtype, pattern + 1);
      const double middle = low + (high - low) / 2;

      REQUIRE(encode_float(dtype, middle) == pattern + pattern % 2);
      REQUIRE(encode_float(dtype, std::nextafter(middle, -1.0)) == pattern);
      REQUIRE(encode_float(dtype, std::nextafter(middle, kInfinity)) == pattern + 1);
    }
  }
}

TEST_CASE("f64 rounds to the narrow type directly, not by way of f32") {
  // Just above the middle of 1 and 1 + 2^-10; f32 would round it to the middle, then to 1.
  const double above_middle = 1.0 + 0x1p-11 + 0x1p-40;

  CHECK(rounded(DType::F16, above_middle) == 1.0 + 0x1p-10);
  CHECK(rounded(DType::F16, static_cast<double>(static_cast<float>(above_middle))) == 1.0);
}

TEST_CASE("f8 saturates at its largest finite value, from infinity too") {
  CHECK(rounded(DType::F8E4M3, 1e9) == 448.0);
  CHECK(rounded(DType::F8E4M3, -kInfinity) == -448.0);
  CHECK(rounded(DType::F8E5M2, kInfinity) == 57344.0);
  CHECK(rounded(DType::F8E5M2, -60000.0) == -57344.0);
}

TEST_CASE("f16 and bf16 overflow to infinity from half an ulp above the largest") {
  CHECK(rounded(DType::F16, 65519.99) == 65504.0);
  CHECK(rounded(DType::F16, 65520.0) == kInfinity);
  CHECK(rounded(DType::BF16, -1e39) == -kInfinity);
  CHECK(rounded(DType::BF16, kInfinity) == kInfinity);
}

TEST_CASE("not a number stays not a number and zeros keep their sign") {
  for (const DType dtype :
       {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16, DType::F32, DType::F64}) {
    CHECK(std::isnan(rounded(dtype, std::nan(""))));
    CHECK(std::signbit(rounded(dtype, -0.0)));
    CHECK(rounded(dtype, -0.0) == 0.0);
    CHECK(std::signbit(rounded(dtype, -1e-320)));
  }
}

TEST_CASE("subnormals are kept") {
  CHECK(rounded(DType::F16, 0x1p-24) == 0x1p-24);
  CHECK(rounded(DType::F16, 0x1p-25) == 0.0);
  CHECK(rounded(DType::F16, 0x1.8p-25) == 0x1p-24);
  CHECK(rounded(DType::F8E4M3, 0x1p-9) == 0x1p-9);
  CHECK(rounded(DType::F8E5M2, 0x3p-16) == 0x3p-16);
  CHECK(rounded(DType::BF16, 0x1p-133) == 0x1p-133);
}

TEST_CASE("infinity patterns of f8e5m2 decode, e4m3 has none") {
  CHECK(decode_float(DType::F8E5M2, 0x7c) == kInfinity);
  CHECK(decode_float(DType::F8E5M2, 0xfc) == -kInfinity);
  CHECK(std::isnan(decode_float(DType::F8E5M2, 0x7d)));
  CHECK(std::isnan(decode_float(DType::F8E4M3, 0x7f)));
  CHECK(decode_float(DType::F8E4M3, 0x7e) == 448.0);
}

}  // namespace sinter::ir
