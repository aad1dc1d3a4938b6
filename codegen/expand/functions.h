// The elementary functions as Functions of primitive operators: one file a function or a family that
// shares its method, one row of the table in expand.cpp each. `dtype` is f32 or f64.
#pragma once

#include <memory>
#include <span>

#include "codegen/expand/scalar_builder.h"

namespace sinter::codegen {

std::shared_ptr<const ir::Graph> make_exp(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_tanh(ir::DType dtype);
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

/// k ln(2) + log(1 + f).
ir::Value join_log(ScalarBuilder& builder, const LogParts& parts);

}  // namespace sinter::codegen
