// The built-in operator library, written as users write theirs.
#include "tools/builtin_ops.h"

#include "sinter/sinter.h"

namespace sinter::tools {

namespace sn = sinter;

// NOLINTBEGIN(performance-unnecessary-value-param): a Tensor is passed as users pass it

SINTER_OP(vector_add, (sn::Tensor a, sn::Tensor b)) { return a + b; }

SINTER_OP(attention_output_projection_with_residual,
          (sn::Tensor attn_output, sn::Tensor residual, sn::Tensor o_proj_weight)) {
  return sn::matmul(attn_output, o_proj_weight) + residual;
}

SINTER_OP(softmax, (sn::Tensor x)) { return sn::softmax(x); }

SINTER_OP(rms_norm, (sn::Tensor x, sn::Tensor weight)) { return sn::rms_norm(x, weight); }

SINTER_OP(layer_norm, (sn::Tensor x, sn::Tensor weight, sn::Tensor bias)) {
  return sn::layer_norm(x, weight, bias);
}

SINTER_OP(linear_gelu, (sn::Tensor x, sn::Tensor weight, sn::Tensor bias)) {
  const sn::Tensor y = sn::matmul(x, weight) + bias;
  // The tanh form: 0.5 y (1 + tanh(sqrt(2/pi) (y + 0.044715 y^3))), Hendrycks and Gimpel 2016.
  return y * 0.5 * (sn::tanh((y + y * y * y * 0.044715) * 0.7978845608028654) + 1.0);
}

// NOLINTEND(performance-unnecessary-value-param)

[[maybe_unused]] static const sn::Operator& layer_norm_gradient =
    sn::register_operator(sn::gradient(layer_norm));

void register_builtin_operators() {}

}  // namespace sinter::tools
