// Operators that are made of others: activations, norms, running folds. Operands, literals and
// broadcasting as in tensor.h; formulas and special values of each in docs/operators.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

// Elementwise.
Tensor ceil(const Operand& a);
/// Towards zero.
Tensor trunc(const Operand& a);
/// a - trunc(a).
Tensor frac(const Operand& a);
/// -1, 1, or a itself where it is zero or NaN.
Tensor sign(const Operand& a);
/// |a| with the sign of b.
Tensor copysign(const Operand& a, const Operand& b);
Tensor square(const Operand& a);
Tensor isnan(const Operand& a);
Tensor isinf(const Operand& a);
Tensor isfinite(const Operand& a);
/// a / b towards zero; x / 0 = 0 for integers, infinite or NaN for floats.
Tensor trunc_div(const Operand& a, const Operand& b);
/// a - b * trunc_div(a, b) without rounding, with a's sign; x rem 0 = x for integers, NaN for floats.
Tensor rem(const Operand& a, const Operand& b);
/// minimum(maximum(a, low), high).
Tensor clamp(const Operand& a, const Operand& low, const Operand& high);
/// a + weight * (b - a).
Tensor lerp(const Operand& a, const Operand& b, const Operand& weight);
/// `value` where the bool `mask` holds, else a.
Tensor masked_fill(const Operand& a, const Operand& mask, const Operand& value);

// Activations.
Tensor relu(const Operand& a);
Tensor relu6(const Operand& a);
Tensor leaky_relu(const Operand& a, double slope = 0.01);
/// a where a >= 0, else slope * a.
Tensor prelu(const Operand& a, const Operand& slope);
/// a where a > limit, else value.
Tensor threshold(const Operand& a, double limit, double value);
Tensor hardtanh(const Operand& a, double low = -1, double high = 1);
Tensor sigmoid(const Operand& a);
Tensor silu(const Operand& a);
Tensor hardsigmoid(const Operand& a);
Tensor hardswish(const Operand& a);
Tensor softsign(const Operand& a);
/// a times the normal distribution function; and its approximation by tanh.
Tensor gelu(const Operand& a);
Tensor gelu_tanh(const Operand& a);
/// a where a > 0, else alpha (exp(a) - 1), or alpha (exp(a / alpha) - 1).
Tensor elu(const Operand& a, double alpha = 1);
Tensor celu(const Operand& a, double alpha = 1);
Tensor selu(const Operand& a);
/// log(1 + exp(beta a)) / beta, without overflow.
Tensor softplus(const Operand& a, double beta = 1);
/// a tanh(softplus(a)).
Tensor mish(const Operand& a);
/// log(sigmoid(a)).
Tensor logsigmoid(const Operand& a);
/// The first half along `axis` times `activation` (sigmoid, silu, gelu, gelu_tanh, relu or none) of the
/// second.
Tensor glu(const Operand& a, int axis = -1, const std::string& activation = "sigmoid");

// Reductions; axes and `keep` as in tensor.h.
Tensor prod(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
/// bool: whether any (all) hold; integers: bitwise or (and).
Tensor any(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
Tensor all(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
/// Squared differences from the mean, over count - correction.
Tensor var(const Operand& a, const std::vector<int>& axes = {}, bool keep = false,
           double correction = 0);
Tensor stddev(const Operand& a, const std::vector<int>& axes = {}, bool keep = false,
              double correction = 0);
Tensor logsumexp(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
/// (sum |a|^order)^(1/order) for a positive order; 0: how many are not 0; plus and minus infinity: the
/// largest and smallest |a|.
Tensor norm(const Operand& a, const std::vector<int>& axes = {}, bool keep = false,
            double order = 2);
Tensor count_nonzero(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
/// i64; NaN counts as the extreme, the first of equals.
Tensor argmax(const Operand& a, int axis, bool keep = false);
Tensor argmin(const Operand& a, int axis, bool keep = false);

// Running folds along one axis.
Tensor cumsum(const Operand& a, int axis, bool exclusive = false, bool reverse = false);
Tensor cumprod(const Operand& a, int axis, bool exclusive = false, bool reverse = false);
Tensor cummax(const Operand& a, int axis, bool reverse = false);
Tensor cummin(const Operand& a, int axis, bool reverse = false);
/// log of the running sum of exp(a).
Tensor logcumsumexp(const Operand& a, int axis, bool exclusive = false, bool reverse = false);

// Normalization.
Tensor softmax(const Operand& a, int axis = -1);
Tensor log_softmax(const Operand& a, int axis = -1);
/// Over the elements whose bool mask holds; 0 elsewhere.
Tensor masked_softmax(const Operand& a, const Operand& mask, int axis = -1);
/// Over the last dimensions, as many as the weight has (without one: the last). Weight and bias have
/// their shape.
Tensor layer_norm(const Operand& a, const std::optional<Tensor>& weight = {},
                  const std::optional<Tensor>& bias = {}, double epsilon = 1e-5);
Tensor rms_norm(const Operand& a, const std::optional<Tensor>& weight = {}, double epsilon = 1e-6);
Tensor l2_normalize(const Operand& a, const std::vector<int>& axes = {-1}, double epsilon = 1e-12);

}  // namespace sinter
