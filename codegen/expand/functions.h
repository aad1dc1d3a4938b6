// The elementary functions as Functions of primitive operators: one file a function, one row of the
// table in expand.cpp each. `dtype` is f32 or f64.
#pragma once

#include <memory>
#include <span>

#include "codegen/expand/scalar_builder.h"

namespace sinter::codegen {

std::shared_ptr<const ir::Graph> make_exp(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_log(ir::DType dtype);
std::shared_ptr<const ir::Graph> make_tanh(ir::DType dtype);

/// exp(x) = significand * 2^n before the two are joined: x = n ln(2) + r.
struct ExpParts {
  ir::Value significand;  // exp(r), in [0.7, 1.42]
  ir::Value bits;         // n + offset in the low bits, which are all that counts
};
/// For |x| below about 1000 (f32: 150). `offset`: a multiple of the exponent bias, to save its
/// addition. `exact_reduction` takes ln(2) in two parts; without it the relative error grows by
/// n * 2^-29 (f64: n * 2^-56).
ExpParts split_exp(ScalarBuilder& builder, ir::Value x, double offset, bool exact_reduction);

}  // namespace sinter::codegen
