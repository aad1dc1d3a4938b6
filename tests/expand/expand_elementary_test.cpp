// Inlining of expansions into Kernels and reducers.
#include <doctest/doctest.h>

#include <algorithm>

#include "codegen/expand/expand.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/support/function_table.h"

namespace sinter::tests {

using ir::DType;
using ir::Kernel;
using ir::Op;

namespace {

long count_op(const Kernel& kernel, Op op) {
  return std::count_if(kernel.nodes().begin(), kernel.nodes().end(),
                       [&](const ir::KernelNode& node) { return node.op == op; });
}

/// y[i] = exp(exp(x[i])) of the dtype, with a user's line.
Kernel make_double_exp(DType dtype) {
  Kernel kernel("double_exp", ir::Mode::Strict);
  const ir::AxisId i = kernel.add_axis("i", ir::Dim::size("n"));
  const std::int64_t x =
      kernel.add_param({.name = "x", .dtype = dtype, .shape = {ir::Dim::size("n")}});
  const std::int64_t y = kernel.add_param(
      {.name = "y", .dtype = dtype, .shape = {ir::Dim::size("n")}, .role = ir::ParamRole::Out});
  const ir::Value loaded = kernel.load(x, {ir::Dim::axis(i)});
  const ir::Value inner = kernel.add(Op::Exp, {loaded}, {}, {.file = "user.cpp", .line = 7});
  kernel.store(kernel.add(Op::Exp, {inner}), y, {ir::Dim::axis(i)});
  return kernel;
}

long count_constants(Op op) {
  const auto function = codegen::expansion_of(op, DType::F32);
  return std::count_if(function->nodes().begin(), function->nodes().end(),
                       [](const ir::Node& node) { return node.op == Op::Constant; });
}

}  // namespace

TEST_CASE("only primitive operators have no expansion") {
  CHECK(codegen::expansion_of(Op::Exp, DType::F32) == codegen::expansion_of(Op::Exp, DType::BF16));
  CHECK(codegen::expansion_of(Op::Exp, DType::F64) != nullptr);
  CHECK(codegen::expansion_of(Op::Sqrt, DType::F32) == nullptr);
  for (const FunctionCase& c : kFunctionCases) {
    for (const DType dtype : {DType::F32, DType::F64}) {
      const auto function = codegen::expansion_of(c.op, dtype);
      ir::verify_graph(*function);
      for (const ir::Node& node : function->nodes()) {
        CHECK(codegen::expansion_of(node.op, node.results[0].dtype) == nullptr);
      }
    }
  }
}

TEST_CASE("trap C07: expansions stay as short as memory-bound kernels need") {
  const auto size = [](Op op, DType dtype) {
    const auto function = codegen::expansion_of(op, dtype);
    return std::count_if(function->nodes().begin(), function->nodes().end(), [](const auto& node) {
      return ir::is_pointwise(node.op) && node.op != Op::Bitcast;
    });
  };
  struct Row {
    Op op;
    int f32, f64;
  };

  // The operators in docs/elementary_functions.md.
  constexpr Row kRows[] = {
      {Op::Exp, 18, 23},      {Op::Exp2, 17, 22},  {Op::Expm1, 22, 27},  {Op::Log, 28, 39},
      {Op::Log2, 28, 39},     {Op::Log10, 30, 41}, {Op::Log1p, 35, 46},  {Op::Sin, 42, 112},
      {Op::Cos, 40, 110},     {Op::Tan, 48, 121},  {Op::Asin, 23, 30},   {Op::Acos, 24, 31},
      {Op::Atan, 22, 33},     {Op::Atan2, 33, 44}, {Op::Sinh, 29, 34},   {Op::Cosh, 25, 30},
      {Op::Tanh, 33, 47},     {Op::Asinh, 43, 54}, {Op::Acosh, 41, 52},  {Op::Atanh, 39, 50},
      {Op::Rsqrt, 2, 2},      {Op::Cbrt, 32, 37},  {Op::Hypot, 20, 20},  {Op::Pow, 111, 132},
      {Op::Erf, 35, 55},      {Op::Erfc, 70, 89},  {Op::Erfinv, 54, 97}, {Op::Lgamma, 122, 182},
      {Op::Digamma, 74, 119},
  };
  for (const Row& row : kRows) {
    CAPTURE(ir::to_string(row.op));
    CHECK(size(row.op, DType::F32) == row.f32);
    CHECK(size(row.op, DType::F64) == row.f64);
  }
}

TEST_CASE("operators are replaced, their constants stand once, lines are kept") {
  const Kernel expanded = codegen::expand_elementary(make_double_exp(DType::F32));

  ir::verify_kernel(expanded);
  CHECK(expanded.mode() == ir::Mode::Strict);
  CHECK(count_op(expanded, Op::Exp) == 0);
  CHECK(count_op(expanded, Op::Maximum) == 2);
  CHECK(count_op(expanded, Op::Cast) == 0);
  CHECK(count_op(expanded, Op::Constant) == count_constants(Op::Exp));
  CHECK(std::any_of(expanded.nodes().begin(), expanded.nodes().end(),
                    [](const ir::KernelNode& node) { return node.location.line == 7; }));
}

TEST_CASE("narrow floats are expanded in f32") {
  const Kernel expanded = codegen::expand_elementary(make_double_exp(DType::BF16));

  ir::verify_kernel(expanded);
  CHECK(count_op(expanded, Op::Exp) == 0);
  CHECK(count_op(expanded, Op::Cast) == 4);
}

TEST_CASE("a kernel without elementary functions stays as it is") {
  const Kernel kernel = codegen::expand_elementary(make_double_exp(DType::F64));

  CHECK(codegen::expand_elementary(kernel) == kernel);
}

TEST_CASE("functions of reducers and values in index maps are rewritten") {
  const Kernel kernel = ir::parse_kernel(R"(kernel gather_log_sum {
  axis i: m
  axis j: n
  in table: f32[k]
  in rows: i64[m]
  in x: f32[m, n]
  out y: f32[m]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i, j) = tanh(%0)
  %2: i64 (i) = load() {param: rows, map: [i]}
  %3: f32 (i) = load() {param: table, map: [%2]}
  %4: f32 (i, j) = add(%1, %3)
  %5: f32 (i) = reduce(%4) {axes: [j], reducer: fn(%a: f32, %b: f32) {
    %0: f32 = exp(%b)
    %1: f32 = add(%a, %0)
    return %1
  } from [0.0: f32]}
  store(%5) {param: y, map: [i]}
}
)");
  const Kernel expanded = codegen::expand_elementary(kernel);

  ir::verify_kernel(expanded);
  CHECK(count_op(expanded, Op::Tanh) == 0);
  CHECK(to_string(expanded).find("= exp(") == std::string::npos);
}

TEST_CASE("functions of two operands are expanded, also in reducers") {
  const Kernel kernel = ir::parse_kernel(R"(kernel angles {
  axis i: m
  axis j: n
  in y: f16[m, n]
  in x: f16[m, n]
  out a: f32[m]
  %0: f16 (i, j) = load() {param: y, map: [i, j]}
  %1: f16 (i, j) = load() {param: x, map: [i, j]}
  %2: f16 (i, j) = hypot(%0, %1)
  %3: f32 (i, j) = cast(%2) {dtype: f32}
  %4: f32 (i) = reduce(%3) {axes: [j], reducer: fn(%a: f32, %b: f32) {
    %0: f32 = hypot(%a, %b)
    return %0
  } from [0.0: f32]}
  store(%4) {param: a, map: [i]}
}
)");
  const Kernel expanded = codegen::expand_elementary(kernel);

  ir::verify_kernel(expanded);
  CHECK(to_string(expanded).find("hypot") == std::string::npos);
  CHECK(count_op(expanded, Op::Cast) == 4);
}

}  // namespace sinter::tests
