// Derivatives: gradients as operators of their own, and gradients inside of an operator's body.
// Conventions at kinks and ties: docs/semantics.md.
//
//   SINTER_OP(loss, (sn::Tensor x, sn::Tensor w, sn::Tensor y)) { return sn::mse_loss(...); }
//   sn::compile(sn::gradient(loss, {"w"}), device, specs)   // the same types as of loss
//
// Narrow floats: gradients are computed and added up in f32, and rounded once, to the dtype of what they
// belong to. Integer and bool tensors and host scalars have no gradients.
#pragma once

#include <string>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

struct GradientOptions {
  /// Names of the parameters to differentiate by; none: all floating ones that are no host scalars.
  std::vector<std::string> wrt = {};
  /// The operator's own results come first.
  bool with_results = false;
};

/// The vector-Jacobian product of an operator: "<name>_gradient", an operator like others, of which
/// gradients may be taken again. Its parameters are those of `op`, then for each floating result i its
/// cotangent "grad_<i>" (with one more "grad_" before it where that name is taken), of the result's type;
/// compile() and trace() take their types or leave them out. An operator whose only floating result has
/// rank 0, a loss, has the cotangent 1 and no such parameter. Results: one gradient for each of `wrt`,
/// with its shape and dtype; 0 where no result depends on it. Tracing throws UserError where an operator on
/// the way has no derivative, naming it and its place.
Operator gradient(const Operator& op, const GradientOptions& options = {});
Operator gradient(const Operator& op, const std::vector<std::string>& wrt);

/// Inside of an operator's body: the gradients of sum(results[i] * cotangents[i]) by each of `wrt`,
/// any floating tensors of the body. Without cotangents the results have rank 0. UserError otherwise.
std::vector<Tensor> gradients(const std::vector<Tensor>& results, const std::vector<Tensor>& wrt,
                              const std::vector<Tensor>& cotangents = {},
                              const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// `a` as a constant for derivatives.
Tensor stop_gradient(const Operand& a);

}  // namespace sinter
