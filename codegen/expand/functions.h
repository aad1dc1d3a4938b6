// The elementary functions as Functions of primitive operators: one file a function or a family that
// shares its method, one row of the table in expand.cpp each. `dtype` is f32 or f64.
#pragma once

#include <memory>
#include <span>

#include "codegen/expand/scalar_builder.h"

namespace sinter::codegen {

std::shared_ptr<const ir::Graph> make_exp(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_exp2(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_expm1(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log2(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log10(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log1p(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_sin(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_cos(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_tan(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_asin(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_acos(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_atan(ir::DType dtype);
/// Parameters y, x.
std::shared_ptr<const ir::Graph> make_atan2(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_sinh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_cosh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_tanh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_asinh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_acosh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_atanh(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_rsqrt(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_cbrt(ir::DType dtype);
/// Parameters x, y.
std::shared_ptr<const ir::Graph> make_hypot(ir::DType dtype);
/// Parameters x, y: x^y.
std::shared_ptr<const ir::Graph> make_pow(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_erf(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_erfc(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_erfinv(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_lgamma(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_digamma(ir::DType dtype);

/// exp(x) = significand * 2^n before the two are joined: x = n ln(2) + r.
struct ExpParts {
  ir::Value significand;  // exp(r), in [0.7, 1.42]
  ir::Value bits;         // n + offset in the low bits, which are all that counts
};
/// For |x| below about 1000 (f32: 150). `offset`: a multiple of the exponent bias, to save its
/// addition. `exact_reduction` takes ln(2) in two parts; without it the relative error grows by
/// n * 2^-29 (f64: n * 2^-56).
ExpParts split_exp(ScalarBuilder& builder, ir::Value x, double offset, bool exact_reduction);

/// x = n ln(2) + high + low with |high| <= ln(2) / 2, for |x| as above.
struct ExpArgument {
  ir::Value n;
  ir::Value bits;  // n + offset in the low bits
  ir::Value high;  // exact for small n
  ir::Value low;   // what the second part of ln(2) adds
  ir::Value r;     // high + low, rounded
};
ExpArgument reduce_exp(ScalarBuilder& builder, ir::Value x, double offset);
/// significand * 2^(n + offset) for offset = twice the exponent bias, rounded once also where it is
/// subnormal or overflows.
ir::Value scale_exp(ScalarBuilder& builder, const ExpParts& parts);

/// x = 2^k (1 + f) with 1 + f in [2/3, 4/3).
struct LogParts {
  ir::Value k;
  ir::Value f;
};
/// For 0 < x < inf; anything for other x.
LogParts split_log(ScalarBuilder& builder, ir::Value x);
/// `finite` where 0 < x < inf; else the limits -inf at 0, +inf, and NaN.
ir::Value finish_log(ScalarBuilder& builder, ir::Value x, ir::Value finite);

/// 1 + x + rest = 2^k (1 + f + lost), `lost` being what the rounding of f left, for -1 < x below 2^126
/// (f64: 2^1022). `rest`: at most half a unit in the last place of x, or null for 0.
struct Log1pParts {
  ir::Value k;
  ir::Value f;
  ir::Value lost;
};
Log1pParts split_log1p(ScalarBuilder& builder, ir::Value x, const ir::Value* rest = nullptr);
/// k ln(2) + log(1 + f + lost).
ir::Value join_log1p(ScalarBuilder& builder, const Log1pParts& parts);

/// An angle as quadrant * pi/2 + r with |r| <= pi/4 or a little more.
struct ReducedAngle {
  ir::Value r;
  ir::Value is_even;  // whether the quadrant is 0 or 2
  ir::Value flip;     // the bit of the sign, set in quadrants 2 and 3
};
/// x = (quadrant - offset) pi/2 + r for every finite x >= 0; r is NaN for others. `offset`: 0 or 1.
/// `rest`: where it is not null, what the rounding of r lost.
ReducedAngle reduce_angle(ScalarBuilder& builder, ir::Value x, int offset,
                          ir::Value* rest = nullptr);
/// k ln(2) + log(1 + f).
ir::Value join_log(ScalarBuilder& builder, const LogParts& parts);

}  // namespace sinter::codegen
