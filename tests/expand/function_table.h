// The functions that have expansions, with the inputs worth trying.
#pragma once

#include <cmath>

#include "ir/op.h"

namespace sinter::tests {

struct Range {
  double low;
  double high;
};

/// A function, the inputs for which its value is neither a limit nor NaN, or a part of them, and the C
/// library's function of one f64, null for functions of two.
struct FunctionCase {
  ir::Op op;
  Range f32;
  Range f64;
  double (*library)(double x) = nullptr;
  /// Below 0 the error is promised beside the terms of the reflection only.
  bool has_reflection = false;
};

inline constexpr FunctionCase kFunctionCases[] = {
    {ir::Op::Exp, {-104, 89}, {-746, 710}, std::exp},
    {ir::Op::Exp2, {-150, 128}, {-1075, 1024}, std::exp2},
    {ir::Op::Expm1, {-18, 89}, {-38, 710}, std::expm1},
    {ir::Op::Log, {0.25, 4}, {0.25, 4}, std::log},
    {ir::Op::Log2, {0.25, 4}, {0.25, 4}, std::log2},
    {ir::Op::Log10, {0.25, 4}, {0.25, 4}, std::log10},
    {ir::Op::Log1p, {-1, 4}, {-1, 4}, std::log1p},
    {ir::Op::Sin, {-20, 20}, {-20, 20}, std::sin},
    {ir::Op::Cos, {-20, 20}, {-20, 20}, std::cos},
    {ir::Op::Tan, {-20, 20}, {-20, 20}, std::tan},
    {ir::Op::Asin, {-1, 1}, {-1, 1}, std::asin},
    {ir::Op::Acos, {-1, 1}, {-1, 1}, std::acos},
    {ir::Op::Atan, {-4, 4}, {-4, 4}, std::atan},
    {ir::Op::Atan2, {-4, 4}, {-4, 4}, nullptr},
    {ir::Op::Sinh, {-3, 3}, {-711, 711}, std::sinh},
    {ir::Op::Cosh, {-90, 90}, {-3, 3}, std::cosh},
    {ir::Op::Tanh, {-10, 10}, {-20, 20}, std::tanh},
    {ir::Op::Asinh, {-4, 4}, {-4, 4}, std::asinh},
    {ir::Op::Acosh, {1, 4}, {1, 4}, std::acosh},
    {ir::Op::Atanh, {-1, 1}, {-1, 1}, std::atanh},
    {ir::Op::Rsqrt, {0.25, 4}, {0.25, 4}},
    {ir::Op::Cbrt, {-8, 8}, {-8, 8}},
    {ir::Op::Hypot, {-8, 8}, {-8, 8}},
    {ir::Op::Pow, {-8, 40}, {-20, 120}},
    {ir::Op::Erf, {-4, 4}, {-6, 6}},
    {ir::Op::Erfc, {-4, 10.25}, {-6, 27.375}},
    {ir::Op::Erfinv, {-1, 1}, {-1, 1}},
    {ir::Op::Lgamma, {0, 8}, {0, 8}, nullptr, true},
    {ir::Op::Digamma, {0, 4}, {0, 4}, nullptr, true},
};

}  // namespace sinter::tests
