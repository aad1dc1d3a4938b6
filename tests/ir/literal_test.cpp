// Typed constants: conversions, exactness, text.
#include "ir/literal.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sinter/error.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;

std::string text_of(DType dtype, double value) { return to_string(make_literal(dtype, value)); }

}  // namespace

TEST_CASE("float to integer truncates, saturates, and turns not a number into 0") {
  CHECK(as_integer(make_literal(DType::I32, -2.9)) == -2);
  CHECK(as_integer(make_literal(DType::I8, 300.0)) == 127);
  CHECK(as_integer(make_literal(DType::I8, -300.0)) == -128);
  CHECK(as_integer(make_literal(DType::I8, -128.9)) == -128);
  CHECK(as_integer(make_literal(DType::U8, -1.0)) == 0);
  CHECK(as_integer(make_literal(DType::U8, 255.9)) == 255);
  CHECK(as_integer(make_literal(DType::I64, kInfinity)) == INT64_MAX);
  CHECK(as_integer(make_literal(DType::I64, -kInfinity)) == INT64_MIN);
  CHECK(make_literal(DType::U64, 1e30).bits == UINT64_MAX);
  CHECK(make_literal(DType::I16, std::nan("")).bits == 0);
}

TEST_CASE("everything but zero converts to true") {
  CHECK(make_literal(DType::Bool, -0.0).bits == 0);
  CHECK(make_literal(DType::Bool, 1e-300).bits == 1);
  CHECK(make_literal(DType::Bool, std::nan("")).bits == 1);
  CHECK(make_integer_literal(DType::Bool, 256).bits == 1);
}

TEST_CASE("integers wrap into integer types") {
  CHECK(as_integer(make_integer_literal(DType::I8, 200)) == -56);
  CHECK(as_integer(make_integer_literal(DType::U16, -1)) == 65535);
  CHECK(make_integer_literal(DType::U64, -1).bits == UINT64_MAX);
}

TEST_CASE("large integers round once into floats") {
  // Just above the middle of two neighbours; rounding to f64 first would lose the 1.
  const std::int64_t bf16_middle = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  const std::int64_t f32_middle = (std::int64_t{1} << 62) + (std::int64_t{1} << 38);

  CHECK(as_double(make_integer_literal(DType::BF16, bf16_middle + 1)) == 0x1p62 + 0x1p55);
  CHECK(as_double(make_integer_literal(DType::BF16, bf16_middle)) == 0x1p62);
  CHECK(as_double(make_integer_literal(DType::F32, -f32_middle - 1)) == -0x1p62 - 0x1p39);
  CHECK(as_double(make_integer_literal(DType::F64, INT64_MIN)) == -0x1p63);
}

TEST_CASE("an exact literal changes nothing or is refused") {
  CHECK(make_exact_literal(DType::BF16, 1.5));
  CHECK_FALSE(make_exact_literal(DType::BF16, 0.1));
  CHECK_FALSE(make_exact_literal(DType::I32, 0.5));
  CHECK_FALSE(make_exact_literal(DType::U8, -1.0));
  CHECK_FALSE(make_exact_literal(DType::Bool, 2.0));
  CHECK_FALSE(make_exact_literal(DType::I64, 0x1p63));
  CHECK_FALSE(make_exact_literal(DType::U64, 0x1p64));
  CHECK(make_exact_literal(DType::U64, 0x1p63));
  CHECK_FALSE(make_exact_literal(DType::F8E5M2, kInfinity));
  CHECK(make_exact_literal(DType::F16, -kInfinity));
  CHECK(make_exact_literal(DType::F16, std::nan("")));
  CHECK_FALSE(make_exact_literal(DType::I8, std::nan("")));
}

TEST_CASE("literals print short") {
  CHECK(text_of(DType::F32, 0.1) == "0.1");
  CHECK(text_of(DType::F64, 0.1) == "0.1");
  CHECK(text_of(DType::BF16, 0.1) == "0.1");
  CHECK(text_of(DType::F32, 1.0) == "1.0");
  CHECK(text_of(DType::F32, -0.0) == "-0.0");
  CHECK(text_of(DType::F8E4M3, 448.0) == "448.0");
  CHECK(text_of(DType::F32, kInfinity) == "inf");
  CHECK(text_of(DType::F16, std::nan("")) == "nan");
  CHECK(text_of(DType::F64, 1e300) == "1e+300");
  CHECK(text_of(DType::Bool, 1.0) == "true");
  CHECK(text_of(DType::I8, -128.0) == "-128");
  CHECK(to_string(make_integer_literal(DType::U64, -1)) == "18446744073709551615");
}

TEST_CASE("every 8 and 16 bit literal prints and parses back to the same bits") {
  for (int i = 1; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (bits(dtype) > 16) continue;
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << bits(dtype)); ++pattern) {
      const Literal literal{dtype, pattern};

      REQUIRE_MESSAGE(parse_literal(dtype, to_string(literal)) == literal, to_string(literal));
    }
  }
}

TEST_CASE("wide literals print and parse back to the same bits") {
  std::uint64_t pattern = 1;
  for (int i = 0; i < 20000; ++i) {
    pattern = pattern * 6364136223846793005u + 1442695040888963407u;
    for (const DType dtype : {DType::F32, DType::F64, DType::I32, DType::U32, DType::I64}) {
      const Literal literal{dtype, bits(dtype) == 32 ? pattern >> 32 : pattern};

      REQUIRE_MESSAGE(parse_literal(dtype, to_string(literal)) == literal, to_string(literal));
    }
  }
}

TEST_CASE("texts that are no value of the type are refused") {
  CHECK_FALSE(parse_literal(DType::I8, "128"));
  CHECK_FALSE(parse_literal(DType::U8, "-1"));
  CHECK_FALSE(parse_literal(DType::I32, "1.0"));
  CHECK_FALSE(parse_literal(DType::F32, "1e39"));
  CHECK_FALSE(parse_literal(DType::F16, "70000"));
  CHECK_FALSE(parse_literal(DType::F8E4M3, "inf"));
  CHECK_FALSE(parse_literal(DType::F8E4M3, "449"));
  CHECK_FALSE(parse_literal(DType::F32, "1.0x"));
  CHECK_FALSE(parse_literal(DType::Bool, "1"));
  CHECK(parse_literal(DType::F32, "2") == make_literal(DType::F32, 2.0));
}

TEST_CASE("a float has no integer value") {
  CHECK_THROWS_WITH_AS(as_integer(make_literal(DType::F32, 1.0)), "as_integer of a f32 literal",
                       InternalError);
}

}  // namespace sinter::ir
