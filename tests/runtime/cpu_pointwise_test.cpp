// Every pointwise operator on every type that it accepts, on corner values, on the CPU.
#include <doctest/doctest.h>

#include "codegen/expand/expand.h"
#include "ir/kernel.h"
#include "ir/op.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

using ir::DType;

std::vector<DType> all_dtypes() {
  std::vector<DType> dtypes;
  for (int i = 0; i < kDTypeCount; ++i) dtypes.push_back(static_cast<DType>(i));
  return dtypes;
}

/// y[i] = op(x0[i], x1[i], ...).
ir::Kernel pointwise_kernel(ir::Op op, DType dtype) {
  ir::Kernel kernel(std::string(ir::to_string(op)) + "_" + std::string(to_string(dtype)));
  const ir::AxisId i = kernel.add_axis("i", ir::IndexExpr::size("n"));
  const ir::Shape shape = {ir::IndexExpr::size("n")};
  std::vector<ir::Value> operands;
  for (int operand = 0; operand < ir::info(op).arity; ++operand) {
    const bool is_condition = op == ir::Op::Select && operand == 0;
    const auto param = kernel.add_param(
        {"x" + std::to_string(operand), is_condition ? DType::Bool : dtype, shape});
    operands.push_back(kernel.load(param, {ir::IndexExpr::axis(i)}));
  }
  const ir::Value result = kernel.add(op, operands);
  const auto y = kernel.add_param({"y", kernel.dtype(result), shape, ir::ParamRole::Out});
  kernel.store(result, y, {ir::IndexExpr::axis(i)});
  return kernel;
}

bool is_primitive(ir::Op op, DType dtype) {
  const DType compute = ir::compute_dtype(dtype);
  return !ir::is_float(compute) || codegen::expansion_of(op, compute) == nullptr;
}

}  // namespace

TEST_CASE("pointwise operators agree with the scalar evaluator on corner values") {
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (!ir::is_pointwise(row.op) || row.op_class == ir::OpClass::Cast) continue;
    for (const DType dtype : all_dtypes()) {
      if (!ir::accepts_dtype(row.op, dtype) || !is_primitive(row.op, dtype)) continue;

      const ir::Kernel kernel = pointwise_kernel(row.op, dtype);
      const std::map<std::string, std::int64_t> sizes = {{"n", 333}};

      check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 7, true));
    }
  }
}

TEST_CASE("elementary functions agree with their expansions bit for bit") {
  for (const ir::OpInfo& row : ir::all_ops()) {
    for (const DType dtype : {DType::F32, DType::F64, DType::BF16}) {
      if (!ir::is_pointwise(row.op) || is_primitive(row.op, dtype)) continue;
      const ir::Kernel kernel = pointwise_kernel(row.op, dtype);
      const std::map<std::string, std::int64_t> sizes = {{"n", 1001}};

      check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 3, true));
    }
  }
}

TEST_CASE("two stores of different domains run as two nests, also where one is empty") {
  const std::string text = R"(kernel two {
    axis i: m
    axis j: n
    in x: f32[m, n]
    in b: f32[m]
    out y: f32[m, n]
    out z: f32[m]
    %0: f32 (i, j) = load() {param: x, map: [i, j]}
    %1: f32 (i) = load() {param: b, map: [i]}
    %2: f32 (i, j) = add(%0, %1)
    %3: f32 (i) = neg(%1)
    store(%2) {param: y, map: [i, j]}
    store(%3) {param: z, map: [i]}
  })";

  check_cpu_kernel(text, {{"m", 5}, {"n", 37}});
  check_cpu_kernel(text, {{"m", 5}, {"n", 0}});
  check_cpu_kernel(text, {{"m", 0}, {"n", 4}});
}

TEST_CASE("a kernel of rank 0 runs once") {
  check_cpu_kernel(R"(kernel scalar {
    in x: f32[]
    out y: f32[]
    %0: f32 = load() {param: x, map: []}
    %1: f32 = neg(%0)
    store(%1) {param: y, map: []}
  })",
                   {});
}

}  // namespace sinter::tests
