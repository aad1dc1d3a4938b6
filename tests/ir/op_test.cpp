// The columns of ops.def and what follows from them; modes and precisions.
#include "ir/op.h"

#include <doctest/doctest.h>

#include <cmath>

#include "ir/mode.h"

namespace sinter::ir {

TEST_CASE("every operator prints and parses back") {
  for (const OpInfo& row : all_ops()) {
    CHECK(parse_op(to_string(row.op)) == row.op);
    CHECK(&info(row.op) == &row);
    CHECK_FALSE(row.meaning.empty());
  }
  CHECK_FALSE(parse_op("matrix_multiply"));
}

TEST_CASE("reductions fold with an operator that has an identity") {
  for (const OpInfo& row : all_ops()) {
    if (row.combine == Op::None) continue;

    CHECK(info(row.combine).identity != Identity::None);
  }
}

TEST_CASE("dtypes columns are honoured") {
  CHECK(accepts_dtype(Op::Exp, DType::BF16));
  CHECK_FALSE(accepts_dtype(Op::Exp, DType::I32));
  CHECK_FALSE(accepts_dtype(Op::Add, DType::Bool));
  CHECK(accepts_dtype(Op::And, DType::Bool));
  CHECK_FALSE(accepts_dtype(Op::And, DType::F32));
  CHECK_FALSE(accepts_dtype(Op::FloorDiv, DType::F32));
}

TEST_CASE("identities leave every operand unchanged") {
  CHECK(to_string(*identity_of(Op::Add, DType::F32)) == "0.0");
  CHECK(to_string(*identity_of(Op::Mul, DType::I8)) == "1");
  CHECK(to_string(*identity_of(Op::Maximum, DType::F32)) == "-inf");
  CHECK(to_string(*identity_of(Op::Maximum, DType::F8E4M3)) == "-448.0");
  CHECK(to_string(*identity_of(Op::Minimum, DType::F8E5M2)) == "inf");
  CHECK(to_string(*identity_of(Op::Maximum, DType::I16)) == "-32768");
  CHECK(to_string(*identity_of(Op::Minimum, DType::U8)) == "255");
  CHECK(to_string(*identity_of(Op::And, DType::I32)) == "-1");
  CHECK(to_string(*identity_of(Op::And, DType::Bool)) == "true");
  CHECK_FALSE(identity_of(Op::Sub, DType::F32));
  CHECK_FALSE(identity_of(Op::And, DType::F32));
}

TEST_CASE("pointwise operators are those that functions may hold") {
  CHECK(is_pointwise(Op::Fma));
  CHECK(is_pointwise(Op::Cast));
  CHECK_FALSE(is_pointwise(Op::Constant));
  CHECK_FALSE(is_pointwise(Op::Sum));
  CHECK(is_view(Op::Slice));
}

TEST_CASE("modes and precisions print and parse back") {
  for (const Mode mode : {Mode::Default, Mode::Strict, Mode::Fast}) {
    CHECK(parse_mode(to_string(mode)) == mode);
  }
  for (const Precision precision :
       {Precision::Split, Precision::Ieee, Precision::SplitFast, Precision::Tf32}) {
    CHECK(parse_precision(to_string(precision)) == precision);
  }
  CHECK_FALSE(parse_mode("quick"));
}

}  // namespace sinter::ir
