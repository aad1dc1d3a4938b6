// The elementary functions, with the inputs worth trying and the error that is promised: the only place
// that states it.
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
  /// Largest error in f32 and f64, in units of the last place; see stated_ulp().
  double max_ulp;
  double (*library)(double x) = nullptr;
  /// Below 0 the error is promised beside the terms of the reflection only (reflection_terms()).
  bool has_reflection = false;
  /// Largest error in f32 of what is rounded to a narrow float next, where that is another (GPUs compute `exp` by
  /// their special function units there).
  double max_rounded_ulp = max_ulp;
};

/// The error that is promised below 0 beside the terms of a reflection.
inline constexpr double kMaxReflectedUlp = 3.0;

inline constexpr FunctionCase kFunctionCases[] = {
    {ir::Op::Exp, {-104, 89}, {-746, 710}, 2, std::exp, false, 128},
    {ir::Op::Exp2, {-150, 128}, {-1075, 1024}, 2, std::exp2},
    {ir::Op::Expm1, {-18, 89}, {-38, 710}, 2, std::expm1},
    {ir::Op::Log, {0.25, 4}, {0.25, 4}, 2, std::log},
    {ir::Op::Log2, {0.25, 4}, {0.25, 4}, 2, std::log2},
    {ir::Op::Log10, {0.25, 4}, {0.25, 4}, 2, std::log10},
    {ir::Op::Log1p, {-1, 4}, {-1, 4}, 2, std::log1p},
    {ir::Op::Sin, {-20, 20}, {-20, 20}, 2, std::sin},
    {ir::Op::Cos, {-20, 20}, {-20, 20}, 2, std::cos},
    {ir::Op::Tan, {-20, 20}, {-20, 20}, 2, std::tan},
    {ir::Op::Asin, {-1, 1}, {-1, 1}, 2, std::asin},
    {ir::Op::Acos, {-1, 1}, {-1, 1}, 2, std::acos},
    {ir::Op::Atan, {-4, 4}, {-4, 4}, 2, std::atan},
    {ir::Op::Atan2, {-4, 4}, {-4, 4}, 2},
    {ir::Op::Sinh, {-3, 3}, {-711, 711}, 2, std::sinh},
    {ir::Op::Cosh, {-90, 90}, {-3, 3}, 2, std::cosh},
    {ir::Op::Tanh, {-10, 10}, {-20, 20}, 2, std::tanh},
    {ir::Op::Asinh, {-4, 4}, {-4, 4}, 2, std::asinh},
    {ir::Op::Acosh, {1, 4}, {1, 4}, 2, std::acosh},
    {ir::Op::Atanh, {-1, 1}, {-1, 1}, 2, std::atanh},
    {ir::Op::Rsqrt, {0.25, 4}, {0.25, 4}, 2},
    {ir::Op::Cbrt, {-8, 8}, {-8, 8}, 2},
    {ir::Op::Hypot, {-8, 8}, {-8, 8}, 2},
    {ir::Op::Pow, {-8, 40}, {-20, 120}, 2},
    {ir::Op::Erf, {-4, 4}, {-6, 6}, 2},
    {ir::Op::Erfc, {-4, 10.25}, {-6, 27.375}, 2.5},
    {ir::Op::Erfinv, {-1, 1}, {-1, 1}, 2.5},
    {ir::Op::Lgamma, {0, 8}, {0, 8}, 2.5, nullptr, true},
    {ir::Op::Digamma, {0, 4}, {0, 4}, 2.5, nullptr, true},
};

/// Primitive operators that round the exact value once.
inline constexpr FunctionCase kRoundedOnceCases[] = {
    {ir::Op::Sqrt, {0, 8}, {0, 8}, 0.5, std::sqrt},
    {ir::Op::Div, {-8, 8}, {-8, 8}, 0.5},
};

/// The error that is promised of results in `dtype`, in units of its last place. Narrow floats are computed
/// in f32 and rounded once more.
inline double stated_ulp(const FunctionCase& c, ir::DType dtype, bool is_reflected = false) {
  const int lost_bits = ir::significand_bits(ir::DType::F32) - ir::significand_bits(dtype);
  const double error = is_reflected     ? kMaxReflectedUlp
                       : lost_bits <= 0 ? c.max_ulp
                                        : c.max_rounded_ulp;
  if (lost_bits <= 0 || error <= 0.5) return error;
  return 0.5 + std::ldexp(error, -lost_bits);
}

}  // namespace sinter::tests
