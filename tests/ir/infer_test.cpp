// Types that operators give, and what is said where operands do not fit. Views: infer_views_test.cpp,
// reductions, scans and matmul: infer_folds_test.cpp.
#include <doctest/doctest.h>

#include "ir/graph.h"
#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::m;
using tests::symbols::n;

std::string type_of(Op op, const std::vector<Type>& types, const Attributes& attributes = {}) {
  return to_string(infer_types(op, types, attributes, {}).at(0));
}

std::string error_of(Op op, const std::vector<Type>& types, const Attributes& attributes = {}) {
  try {
    infer_types(op, types, attributes, {});
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("pointwise operators keep their operands' type") {
  CHECK(type_of(Op::Exp, {{DType::BF16, {n}}}) == "bf16[n]");
  CHECK(type_of(Op::Add, {{DType::F32, {n, 3}}, {DType::F32, {n, 3}}}) == "f32[n, 3]");
  CHECK(type_of(Op::Lt, {{DType::I8, {n}}, {DType::I8, {n}}}) == "bool[n]");
  CHECK(type_of(Op::Select, {{DType::Bool, {}}, {DType::U8, {}}, {DType::U8, {}}}) == "u8");
}

TEST_CASE("casts take the named type") {
  CHECK(type_of(Op::Cast, {{DType::F32, {n}}}, {{AttributeName::DType, DType::I8}}) == "i8[n]");
  CHECK(type_of(Op::Bitcast, {{DType::F32, {n}}}, {{AttributeName::DType, DType::U32}}) ==
        "u32[n]");
  CHECK(error_of(Op::Bitcast, {{DType::F32, {n}}}, {{AttributeName::DType, DType::I8}}) ==
        "bitcast needs a type of the same width, and not bool; given f32 to i8");
}

TEST_CASE("leaves have the types of their attributes") {
  CHECK(type_of(Op::Constant, {}, {{AttributeName::Value, make_literal(DType::F16, 1.0)}}) ==
        "f16");
  Attributes iota{{AttributeName::DType, DType::I32},
                  {AttributeName::Shape, Shape{n, 4}},
                  {AttributeName::Axis, std::int64_t{1}}};
  CHECK(type_of(Op::Iota, {}, iota) == "i32[n, 4]");
  iota.set(AttributeName::Axis, std::int64_t{2});
  CHECK(error_of(Op::Iota, {}, iota) == "iota of shape [n, 4] has no axis 2");
}

TEST_CASE("nothing is promoted") {
  CHECK(error_of(Op::Add, {{DType::F32, {n}}, {DType::BF16, {n}}}) ==
        "add needs operands of one dtype; given f32[n] and bf16[n]: cast one");
  CHECK(error_of(Op::Select, {{DType::I8, {}}, {DType::F32, {}}, {DType::F32, {}}}) ==
        "select needs a bool condition; given i8");
}

TEST_CASE("nothing is broadcast") {
  CHECK(error_of(Op::Mul, {{DType::F32, {n, 4}}, {DType::F32, {n, 5}}}) ==
        "mul needs operands of equal shape; given f32[n, 4] and f32[n, 5]: 4 is not 5");
  CHECK(error_of(Op::Mul, {{DType::F32, {n}}, {DType::F32, {m}}}) ==
        "mul needs operands of equal shape; given f32[n] and f32[m]: cannot show that n equals m; "
        "a broadcast of one to the other's shape makes it a check of each call");
  CHECK(error_of(Op::Mul, {{DType::F32, {n}}, {DType::F32, {}}}) ==
        "mul needs operands of equal shape; given f32[n] and f32: 1 and 0 dimensions");
}

TEST_CASE("the dtypes column is enforced") {
  CHECK(error_of(Op::Exp, {{DType::I32, {n}}}) == "exp needs floating point; given i32[n]");
  CHECK(error_of(Op::Add, {{DType::Bool, {}}, {DType::Bool, {}}}) ==
        "add needs numbers, not bool; given bool");
  CHECK(error_of(Op::Not, {{DType::F32, {}}}) == "not needs integers or bool; given f32");
}

TEST_CASE("operands and attributes are counted and named") {
  CHECK(error_of(Op::Add, {{DType::F32, {}}}) == "add needs 2 operands; 1 was given");
  CHECK(error_of(Op::Neg, {}) == "neg needs 1 operand; 0 were given");
  CHECK(error_of(Op::Cast, {{DType::F32, {}}}) ==
        "cast needs attribute dtype; its attributes: dtype (needed), implicit");
  CHECK(error_of(Op::Cast, {{DType::F32, {}}}, {{AttributeName::DType, true}}) ==
        "attribute dtype of cast must be an element type");
  CHECK(error_of(Op::Neg, {{DType::F32, {}}}, {{AttributeName::Reverse, true}}) ==
        "neg has no attribute reverse; its attributes: none");
  CHECK(error_of(Op::Load, {}) == "load belongs to kernels: a graph cannot hold it");
}

TEST_CASE("errors name the user's line") {
  CHECK_THROWS_WITH_AS(infer_types(Op::Neg, {}, {}, {"op.cpp", 7}),
                       "op.cpp:7: neg needs 1 operand; 0 were given", UserError);
}

}  // namespace sinter::ir
