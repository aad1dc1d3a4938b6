// Where functions are the special function unit's: never in f64 and in strict mode, coarser for narrow results.
#include <doctest/doctest.h>

#include "codegen/cuda/native_functions.h"
#include "codegen/schedule.h"
#include "tests/support/kernel_files.h"

namespace sinter::tests {
namespace {

std::string text_of_exp(const std::string& dtype, ir::Mode mode) {
  ir::Kernel kernel = fused_kernel("graph g(%x: " + dtype + "[1000]) {\n  %0: " + dtype +
                                   "[1000] = exp(%x)\n  return %0\n}\n");
  if (mode == ir::Mode::Strict) {
    ir::Kernel strict("g", mode);
    const ir::AxisId i = strict.add_axis("i", 1000);
    const std::int64_t x = strict.add_param({.name = "x", .dtype = DType::BF16, .shape = {1000}});
    const std::int64_t y = strict.add_param(
        {.name = "y", .dtype = DType::BF16, .shape = {1000}, .role = ir::ParamRole::Out});
    const ir::Value loaded = strict.load(x, {ir::Dim::axis(i)});
    strict.store(strict.add(ir::Op::Exp, {loaded}), y, {ir::Dim::axis(i)});
    kernel = strict;
  }
  const codegen::Schedule& generic = cuda_schedule("generic");
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const ir::Facts facts = generic.classes(kernel).front();
  const auto candidates = generic.candidates(kernel, facts, target, {});
  return generic.emit(kernel, facts, candidates.front().config, target).sources.front().text;
}

bool is_native(const std::string& text) { return text.find("ex2.approx") != std::string::npos; }

}  // namespace

TEST_CASE("exp is native but in f64 and strict mode, coarser where all results are narrow") {
  const auto has = [](const std::string& text, const char* piece) {
    return text.find(std::string("float ") + piece) != std::string::npos;
  };
  for (const char* narrow : {"bf16", "f16"}) {
    CHECK(has(text_of_exp(narrow, ir::Mode::Default), "exp_rounded"));
  }
  CHECK(has(text_of_exp("f32", ir::Mode::Default), "exp_f32"));
  CHECK_FALSE(is_native(text_of_exp("f64", ir::Mode::Default)));
  CHECK_FALSE(is_native(text_of_exp("bf16", ir::Mode::Strict)));
}

TEST_CASE("functions have pieces by kind") {
  using codegen::cuda::native_function;
  using codegen::cuda::NativeFunctions;
  CHECK(native_function(ir::Op::Exp, DType::F16, NativeFunctions::Rounded) == "exp_rounded");
  CHECK(native_function(ir::Op::Exp, DType::F16, NativeFunctions::Accurate) == "exp_f32");
  CHECK(native_function(ir::Op::Tanh, DType::F32, NativeFunctions::Accurate) == "tanh_f32");
  CHECK(native_function(ir::Op::Exp, DType::F32, NativeFunctions::None).empty());
  CHECK(native_function(ir::Op::Tanh, DType::F64, NativeFunctions::Accurate).empty());
  CHECK(native_function(ir::Op::Log, DType::F32, NativeFunctions::Accurate).empty());
}

}  // namespace sinter::tests
