// Types of reductions, scans and matmul, and what is said where they do not fit.
#include <doctest/doctest.h>

#include "ir/graph.h"
#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::m;
using tests::symbols::n;
using Integers = std::vector<std::int64_t>;

/// The types, or the message of the error.
std::string infer(Op op, const std::vector<Type>& types, const Attributes& attributes = {}) {
  std::string text;
  try {
    for (const Type& type : infer_types(op, types, attributes, {})) {
      text += (text.empty() ? "" : ", ") + to_string(type);
    }
  } catch (const UserError& error) {
    return error.what();
  }
  return text;
}

/// Largest element and its index: (value, index) accumulators, then elements.
Reducer make_argmax(DType index = DType::I64) {
  auto function = std::make_shared<Graph>("fn");
  const Value best = function->add_parameter("best", {DType::F32, {}});
  const Value at = function->add_parameter("at", {index, {}});
  const Value x = function->add_parameter("x", {DType::F32, {}});
  const Value i = function->add_parameter("i", {index, {}});
  const Value wins = function->add(Op::Gt, {x, best});
  function->set_outputs(
      {function->add(Op::Select, {wins, x, best}), function->add(Op::Select, {wins, i, at})});
  return {Op::None, function, {make_literal(DType::F32, -1e30), make_literal(index, 0)}};
}

Attributes reducing(Reducer reducer, Integers axes = {1}) {
  return {{AttributeName::Axes, std::move(axes)}, {AttributeName::Reducer, std::move(reducer)}};
}

}  // namespace

TEST_CASE("reductions drop their axes; sums of small integers widen") {
  CHECK(infer(Op::Sum, {{DType::BF16, {n, m}}}, {{AttributeName::Axes, Integers{1}}}) == "bf16[n]");
  CHECK(infer(Op::Sum, {{DType::Bool, {n, m}}}, {{AttributeName::Axes, Integers{0, 1}}}) == "i64");
  CHECK(infer(Op::Sum, {{DType::U8, {n}}}, {{AttributeName::Axes, Integers{}}}) == "u64[n]");
  CHECK(infer(Op::Max, {{DType::I8, {n, m}}}, {{AttributeName::Axes, Integers{0}}}) == "i8[m]");
}

TEST_CASE("sums and means in a named type") {
  const auto in = [](Op op, DType from, DType to) {
    return infer(op, {{from, {n, m}}},
                 {{AttributeName::Axes, Integers{1}}, {AttributeName::DType, to}});
  };
  CHECK(in(Op::Sum, DType::F32, DType::F64) == "f64[n]");
  CHECK(in(Op::Sum, DType::BF16, DType::F32) == "f32[n]");
  CHECK(in(Op::Sum, DType::I32, DType::I32) == "i32[n]");
  CHECK(in(Op::Sum, DType::I64, DType::I8) == "i8[n]");
  CHECK(in(Op::Sum, DType::Bool, DType::F32) == "f32[n]");
  CHECK(in(Op::Mean, DType::BF16, DType::F32) == "f32[n]");
  CHECK(in(Op::Sum, DType::F64, DType::F32) ==
        "sum of f64[n, m] in f32; a type that holds every f64 is needed: cast the operand");
  CHECK(in(Op::Sum, DType::I32, DType::F32) ==
        "sum of i32[n, m] in f32; a type that holds every i32 is needed, or an integer type, which "
        "wraps: cast the operand");
  CHECK(in(Op::Sum, DType::Bool, DType::Bool).starts_with("sum of bool[n, m] in bool; "));
  CHECK(in(Op::Max, DType::F32, DType::F64) ==
        "max has no attribute dtype; its attributes: axes (needed)");
}

TEST_CASE("axes exist and are named once") {
  CHECK(infer(Op::Max, {{DType::F32, {n}}}, {{AttributeName::Axes, Integers{1}}}) ==
        "max of f32[n] has no axis 1; axes count from 0 to 0");
  CHECK(infer(Op::Max, {{DType::F32, {n}}}, {{AttributeName::Axes, Integers{0, 0}}}) ==
        "max names axis 0 twice");
}

TEST_CASE("a reducer is an operator with an identity") {
  CHECK(infer(Op::Reduce, {{DType::I8, {n, m}}}, reducing({Op::Add, {}, {}})) == "i8[n]");
  CHECK(infer(Op::Reduce, {{DType::F32, {n, m}}}, reducing({Op::Sub, {}, {}})) ==
        "reduce cannot fold f32[n, m] with sub: it has no identity there");
}

TEST_CASE("a reducer is a function of accumulators and elements") {
  const std::vector<Type> operands = {{DType::F32, {n, m}}, {DType::I64, {n, m}}};

  CHECK(infer(Op::Reduce, operands, reducing(make_argmax())) == "f32[n], i64[n]");
  CHECK(infer(Op::Reduce, operands, reducing({Op::Maximum, {}, {}})) ==
        "reduce of 2 operands needs a function as its reducer; given maximum");
  CHECK(infer(Op::Reduce, operands, reducing(make_argmax(DType::I32))) ==
        "the reducer's parameter %i is i32, but the operand is i64[n, m]");
  Reducer no_identity = make_argmax();
  no_identity.identity.pop_back();
  CHECK(infer(Op::Reduce, operands, reducing(no_identity)) ==
        "reduce of 2 operands needs a reducer of as many results and identities; given 2 "
        "and 1");
}

TEST_CASE("scans keep the shape") {
  const Attributes attributes{{AttributeName::Axis, std::int64_t{1}},
                              {AttributeName::Reducer, Reducer{Op::Add, {}, {}}},
                              {AttributeName::Reverse, true}};
  CHECK(infer(Op::Scan, {{DType::F32, {n, m}}}, attributes) == "f32[n, m]");
  CHECK(infer(Op::Scan, {{DType::F32, {n}}}, attributes) ==
        "scan of f32[n] has no axis 1; axes count from 0 to 0");
}

TEST_CASE("matmul broadcasts leading dimensions") {
  CHECK(infer(Op::Matmul, {{DType::BF16, {n, 8}}, {DType::BF16, {8, m}}}) == "bf16[n, m]");
  CHECK(infer(Op::Matmul, {{DType::F32, {7, 1, n, 8}}, {DType::F32, {m, 8, 4}}}) ==
        "f32[7, m, n, 4]");
  CHECK(infer(Op::Matmul, {{DType::F32, {n, 3, 8}}, {DType::F32, {m, 8, 4}}}) ==
        "matmul cannot broadcast the leading dimensions of f32[n, 3, 8] and f32[m, 8, 4]: cannot "
        "show that n equals m; a broadcast of one to the other's shape makes it a check of each "
        "call");
}

TEST_CASE("matmul of small integers and of f8 accumulates wider") {
  CHECK(infer(Op::Matmul, {{DType::I8, {n, 8}}, {DType::I8, {8, m}}}) == "i32[n, m]");
  CHECK(infer(Op::Matmul, {{DType::F8E4M3, {n, 8}}, {DType::F8E4M3, {8, m}}}) == "f32[n, m]");
}

TEST_CASE("matmul says what it needs") {
  CHECK(infer(Op::Matmul, {{DType::F32, {n, 8}}, {DType::F32, {9, m}}}) ==
        "matmul needs [..., m, k] x [..., k, n]; given f32[n, 8] and f32[9, m]: 8 is not 9");
  CHECK(infer(Op::Matmul, {{DType::F32, {n}}, {DType::F32, {n, m}}}) ==
        "matmul needs operands of at least two dimensions; given f32[n] and f32[n, m]");
  CHECK(infer(Op::Matmul, {{DType::F16, {n, 8}}, {DType::F32, {8, m}}}) ==
        "matmul needs operands of one dtype; given f16[n, 8] and f32[8, m]: cast one");
}

}  // namespace sinter::ir
