// The semantics of ops.def, rule by rule: what the constant folder computes.
#include <doctest/doctest.h>

#include <limits>

#include "codegen/expand/expand.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

Literal literal(DType dtype, const std::string& text) {
  const auto parsed = ir::parse_literal(dtype, text);
  REQUIRE_MESSAGE(parsed.has_value(), text);
  return *parsed;
}

/// The printed result of `op` on printed operands, all of `dtype`.
std::string evaluate(Op op, DType dtype, const std::vector<std::string>& operands) {
  std::vector<Literal> literals;
  for (const std::string& text : operands) literals.push_back(literal(dtype, text));
  return to_string(codegen::evaluate_scalar(op, literals, {}));
}

}  // namespace

TEST_CASE("trap A18: integer division rounds down, the remainder has the divisor's sign") {
  const DType i32 = DType::I32;

  CHECK(evaluate(Op::FloorDiv, i32, {"-6", "5"}) == "-2");
  CHECK(evaluate(Op::FloorDiv, i32, {"6", "-5"}) == "-2");
  CHECK(evaluate(Op::FloorDiv, i32, {"-7", "3"}) == "-3");
  CHECK(evaluate(Op::FloorDiv, i32, {"-6", "3"}) == "-2");
  CHECK(evaluate(Op::Mod, i32, {"-6", "5"}) == "4");
  CHECK(evaluate(Op::Mod, i32, {"6", "-5"}) == "-4");
  CHECK(evaluate(Op::Mod, i32, {"-7", "3"}) == "2");
  CHECK(evaluate(Op::Mod, i32, {"-6", "3"}) == "0");
  CHECK(evaluate(Op::FloorDiv, DType::U32, {"4294967290", "5"}) == "858993458");
}

TEST_CASE("division by zero and of the lowest integer by -1 have values") {
  CHECK(evaluate(Op::FloorDiv, DType::I8, {"-7", "0"}) == "0");
  CHECK(evaluate(Op::Mod, DType::I8, {"-7", "0"}) == "-7");
  CHECK(evaluate(Op::FloorDiv, DType::U64, {"7", "0"}) == "0");
  CHECK(evaluate(Op::Mod, DType::U64, {"7", "0"}) == "7");
  CHECK(evaluate(Op::FloorDiv, DType::I8, {"-128", "-1"}) == "-128");
  CHECK(evaluate(Op::Mod, DType::I8, {"-128", "-1"}) == "0");
  const std::string lowest = "-9223372036854775808";
  CHECK(evaluate(Op::FloorDiv, DType::I64, {lowest, "-1"}) == lowest);
  CHECK(evaluate(Op::Mod, DType::I64, {lowest, "-1"}) == "0");
}

TEST_CASE("integers wrap in their width") {
  CHECK(evaluate(Op::Add, DType::I8, {"127", "1"}) == "-128");
  CHECK(evaluate(Op::Sub, DType::U8, {"0", "1"}) == "255");
  CHECK(evaluate(Op::Mul, DType::I16, {"300", "300"}) == "24464");
  CHECK(evaluate(Op::Neg, DType::I32, {"-2147483648"}) == "-2147483648");
  CHECK(evaluate(Op::Abs, DType::I32, {"-2147483648"}) == "-2147483648");
  CHECK(evaluate(Op::Neg, DType::U16, {"1"}) == "65535");
  CHECK(evaluate(Op::Add, DType::U64, {"18446744073709551615", "2"}) == "1");
}

TEST_CASE("shifts by a negative amount or at least the width give 0 or the sign") {
  CHECK(evaluate(Op::ShiftLeft, DType::I32, {"1", "31"}) == "-2147483648");
  CHECK(evaluate(Op::ShiftLeft, DType::I32, {"1", "32"}) == "0");
  CHECK(evaluate(Op::ShiftLeft, DType::I32, {"1", "-1"}) == "0");
  CHECK(evaluate(Op::ShiftRight, DType::I32, {"-8", "1"}) == "-4");
  CHECK(evaluate(Op::ShiftRight, DType::I32, {"-8", "99"}) == "-1");
  CHECK(evaluate(Op::ShiftRight, DType::I32, {"8", "-1"}) == "0");
  CHECK(evaluate(Op::ShiftRight, DType::U8, {"128", "7"}) == "1");
  CHECK(evaluate(Op::ShiftRight, DType::U8, {"128", "8"}) == "0");
  CHECK(evaluate(Op::ShiftLeft, DType::U64, {"1", "64"}) == "0");
}

TEST_CASE("bit operators complement integers and negate bool") {
  CHECK(evaluate(Op::Not, DType::Bool, {"true"}) == "false");
  CHECK(evaluate(Op::Not, DType::I8, {"5"}) == "-6");
  CHECK(evaluate(Op::And, DType::U8, {"12", "10"}) == "8");
  CHECK(evaluate(Op::Or, DType::Bool, {"true", "false"}) == "true");
  CHECK(evaluate(Op::Xor, DType::I16, {"-1", "1"}) == "-2");
}

TEST_CASE("trap A24: the sign of zero is kept") {
  for (const DType dtype : {DType::F8E4M3, DType::F16, DType::BF16, DType::F32, DType::F64}) {
    CHECK(evaluate(Op::Neg, dtype, {"0.0"}) == "-0.0");
    CHECK(evaluate(Op::Neg, dtype, {"-0.0"}) == "0.0");
    CHECK(evaluate(Op::Abs, dtype, {"-0.0"}) == "0.0");
    CHECK(evaluate(Op::Floor, dtype, {"-0.0"}) == "-0.0");
    CHECK(evaluate(Op::Round, dtype, {"-0.5"}) == "-0.0");
    CHECK(evaluate(Op::Sqrt, dtype, {"-0.0"}) == "-0.0");
    CHECK(evaluate(Op::Maximum, dtype, {"-0.0", "0.0"}) == "0.0");
    CHECK(evaluate(Op::Maximum, dtype, {"0.0", "-0.0"}) == "0.0");
    CHECK(evaluate(Op::Minimum, dtype, {"-0.0", "0.0"}) == "-0.0");
    CHECK(evaluate(Op::Minimum, dtype, {"0.0", "-0.0"}) == "-0.0");
  }
}

TEST_CASE("select keeps bits, also those of -0.0 and NaN") {
  const Literal yes = literal(DType::Bool, "true");
  const Literal no = literal(DType::Bool, "false");
  const Literal zero = literal(DType::F32, "-0.0");
  const Literal nan{DType::F32, 0xffc00123};

  CHECK(codegen::evaluate_scalar(Op::Select, std::vector{yes, zero, nan}, {}) == zero);
  CHECK(codegen::evaluate_scalar(Op::Select, std::vector{no, zero, nan}, {}) == nan);
}

TEST_CASE("NaN wins in minimum and maximum and fails every comparison but ne") {
  CHECK(evaluate(Op::Maximum, DType::F32, {"nan", "inf"}) == "nan");
  CHECK(evaluate(Op::Minimum, DType::F64, {"1.0", "nan"}) == "nan");
  CHECK(evaluate(Op::Maximum, DType::BF16, {"1.0", "2.0"}) == "2.0");
  CHECK(evaluate(Op::Minimum, DType::I32, {"-1", "1"}) == "-1");
  CHECK(evaluate(Op::Maximum, DType::U32, {"4294967295", "1"}) == "4294967295");
  for (const Op op : {Op::Eq, Op::Lt, Op::Le, Op::Gt, Op::Ge}) {
    CHECK(evaluate(op, DType::F32, {"nan", "nan"}) == "false");
  }
  CHECK(evaluate(Op::Ne, DType::F32, {"nan", "nan"}) == "true");
  CHECK(evaluate(Op::Eq, DType::F32, {"0.0", "-0.0"}) == "true");
  CHECK(evaluate(Op::Lt, DType::U8, {"1", "255"}) == "true");
  CHECK(evaluate(Op::Lt, DType::I8, {"1", "-1"}) == "false");
}

TEST_CASE("arithmetic is in the operands' own type and rounds once") {
  // In f64 the sum would keep its last bit; an f32 product of these rounds to 1.
  CHECK(evaluate(Op::Add, DType::F32, {"16777216.0", "1.0"}) == "16777216.0");
  CHECK(evaluate(Op::Mul, DType::F32, {"1.0000001", "0.9999999"}) ==
        evaluate(Op::Div, DType::F32, {"1.0", "1.0"}));
  // (1 + 2^-12)^2 - 1 - 2^-11 = 2^-24 needs the unrounded product.
  CHECK(evaluate(Op::Fma, DType::F32, {"1.00024414", "1.00024414", "-1.00048828"}) ==
        to_string(ir::make_literal(DType::F32, 0x1p-24)));
  CHECK(evaluate(Op::Round, DType::F32, {"2.5"}) == "2.0");
  CHECK(evaluate(Op::Round, DType::F64, {"-3.5"}) == "-4.0");
  CHECK(evaluate(Op::Sqrt, DType::F32, {"-1.0"}) == "nan");
  CHECK(evaluate(Op::Div, DType::F64, {"-1.0", "0.0"}) == "-inf");
}

TEST_CASE("narrow floats compute in f32 and round as results") {
  // 256 + 1 is a tie in bf16 and goes to even; fma does not round its product to bf16.
  CHECK(evaluate(Op::Add, DType::BF16, {"256.0", "1.0"}) == "256.0");
  CHECK(evaluate(Op::Add, DType::BF16, {"258.0", "1.0"}) == "260.0");
  CHECK(evaluate(Op::Fma, DType::BF16, {"257.0", "1.0", "-256.0"}) == "0.0");
  CHECK(evaluate(Op::Mul, DType::F16, {"256.0", "256.0"}) == "inf");
  CHECK(evaluate(Op::Mul, DType::F8E4M3, {"448.0", "-2.0"}) == "-448.0");
  CHECK(evaluate(Op::Exp, DType::BF16, {"1.0"}) == to_string(literal(DType::BF16, "2.71875")));
}

TEST_CASE("wrong operands are refused") {
  CHECK_THROWS_AS(evaluate(Op::Add, DType::F32, {"1.0"}), InternalError);
  CHECK_THROWS_AS(evaluate(Op::Add, DType::Bool, {"true", "true"}), InternalError);
  CHECK_THROWS_AS(evaluate(Op::Exp, DType::I32, {"1"}), InternalError);
  const std::vector mixed{literal(DType::F32, "1.0"), literal(DType::F64, "1.0")};
  CHECK_THROWS_AS(codegen::evaluate_scalar(Op::Add, mixed, {}), InternalError);
}

}  // namespace sinter::tests
