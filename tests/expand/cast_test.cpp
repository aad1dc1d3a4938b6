// Conversions between element types: the rules of `cast` and `bitcast` in ops.def.
#include <doctest/doctest.h>

#include "codegen/expand/expand.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

std::string convert(Op op, DType from, const std::string& text, DType to) {
  const auto operand = ir::parse_literal(from, text);
  REQUIRE_MESSAGE(operand.has_value(), text);
  const ir::Attributes attributes{{AttributeName::DType, to}};
  const Literal result = codegen::evaluate_scalar(op, {&*operand, 1}, attributes);
  CHECK(result.dtype == to);
  return to_string(result);
}

std::string cast(DType from, const std::string& text, DType to) {
  return convert(Op::Cast, from, text, to);
}

}  // namespace

TEST_CASE("trap A21: f32 to f8e4m3 saturates and rounds ties to even") {
  CHECK(cast(DType::F32, "1000.0", DType::F8E4M3) == "448.0");
  CHECK(cast(DType::F32, "448.0", DType::F8E4M3) == "448.0");
  CHECK(cast(DType::F32, "464.0", DType::F8E4M3) == "448.0");
  CHECK(cast(DType::F32, "465.0", DType::F8E4M3) == "448.0");
  CHECK(cast(DType::F32, "-1000.0", DType::F8E4M3) == "-448.0");
  CHECK(cast(DType::F32, "-inf", DType::F8E4M3) == "-448.0");
  CHECK(cast(DType::F32, "nan", DType::F8E4M3) == "nan");
  CHECK(cast(DType::F32, "inf", DType::F8E5M2) == "57344.0");
  CHECK(cast(DType::F8E5M2, "inf", DType::F8E5M2) == "57344.0");
  CHECK(cast(DType::F32, "-0.0", DType::F8E4M3) == "-0.0");
}

TEST_CASE("trap A21: every bf16 converts to f8e4m3 as its f32 value does") {
  const ir::Attributes to_f32{{AttributeName::DType, DType::F32}};
  const ir::Attributes to_f8{{AttributeName::DType, DType::F8E4M3}};
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    const Literal x{DType::BF16, bits};
    const Literal wide = codegen::evaluate_scalar(Op::Cast, {&x, 1}, to_f32);
    const Literal direct = codegen::evaluate_scalar(Op::Cast, {&x, 1}, to_f8);
    const Literal by_f32 = codegen::evaluate_scalar(Op::Cast, {&wide, 1}, to_f8);
    if (direct != by_f32) FAIL_CHECK("bf16 ", to_string(x));
  }
}

TEST_CASE("floats truncate and saturate to integers, NaN becomes 0") {
  CHECK(cast(DType::F32, "-1.9", DType::I32) == "-1");
  CHECK(cast(DType::F32, "3e9", DType::I32) == "2147483647");
  CHECK(cast(DType::F32, "-inf", DType::I32) == "-2147483648");
  CHECK(cast(DType::F32, "300.0", DType::U8) == "255");
  CHECK(cast(DType::F32, "-1.0", DType::U8) == "0");
  CHECK(cast(DType::F64, "nan", DType::I64) == "0");
  CHECK(cast(DType::F64, "1e30", DType::U64) == "18446744073709551615");
  CHECK(cast(DType::F64, "9223372036854775808.0", DType::I64) == "9223372036854775807");
}

TEST_CASE("integers wrap, and extend by the sign of their own type") {
  CHECK(cast(DType::I32, "300", DType::U8) == "44");
  CHECK(cast(DType::I32, "200", DType::I8) == "-56");
  CHECK(cast(DType::I8, "-1", DType::U64) == "18446744073709551615");
  CHECK(cast(DType::U8, "255", DType::I32) == "255");
  CHECK(cast(DType::U64, "18446744073709551615", DType::I32) == "-1");
}

TEST_CASE("everything but zero becomes true, and bool becomes 0 or 1") {
  CHECK(cast(DType::F32, "-0.0", DType::Bool) == "false");
  CHECK(cast(DType::F32, "1e-45", DType::Bool) == "true");
  CHECK(cast(DType::F32, "nan", DType::Bool) == "true");
  CHECK(cast(DType::I32, "256", DType::Bool) == "true");
  CHECK(cast(DType::Bool, "true", DType::F16) == "1.0");
  CHECK(cast(DType::Bool, "true", DType::I8) == "1");
}

TEST_CASE("64-bit integers round once to floats") {
  // 2^24 + 1 and 2^62 + 2^38 + 1 lie at and just above the middle of two f32.
  CHECK(cast(DType::I32, "16777217", DType::F32) == "16777216.0");
  CHECK(cast(DType::I64, "4611686293305294849", DType::F32) ==
        to_string(ir::make_literal(DType::F32, 0x1.000002p62)));
  // 2^63 + 2^39 + 1 the same for u64, and bf16 not by way of f32.
  CHECK(cast(DType::U64, "9223372586610589697", DType::F32) ==
        to_string(ir::make_literal(DType::F32, 0x1.000002p63)));
  CHECK(cast(DType::U64, "18446744073709551615", DType::F64) ==
        to_string(ir::make_literal(DType::F64, 0x1p64)));
  CHECK(cast(DType::U64, "18446744073709551615", DType::F8E4M3) == "448.0");
  // 2^25 + 2^17 + 1: by way of f32 this would be a tie and go down.
  CHECK(cast(DType::I32, "33685505", DType::BF16) ==
        to_string(ir::make_literal(DType::BF16, 0x1.02p25)));
}

TEST_CASE("f64 rounds to a narrow float once") {
  // Just above the middle of 1.0 and 1.0078125 ("1.01"): by way of f32 this would be a tie and go down.
  CHECK(cast(DType::F64, "1.00390625000001", DType::BF16) == "1.01");
  CHECK(cast(DType::F32, "65520.0", DType::F16) == "inf");
  CHECK(cast(DType::F32, "65519.0", DType::F16) == "65504.0");
}

TEST_CASE("bitcast keeps bits and demands the same width") {
  CHECK(convert(Op::Bitcast, DType::F32, "-0.0", DType::I32) == "-2147483648");
  CHECK(convert(Op::Bitcast, DType::U64, "4607182418800017408", DType::F64) == "1.0");
  CHECK_THROWS_AS(convert(Op::Bitcast, DType::F32, "1.0", DType::I64), InternalError);
}

}  // namespace sinter::tests
