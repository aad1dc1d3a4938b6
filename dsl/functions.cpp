// Composites: each call appends one node, which ir/define/ takes apart later.
#include "sinter/functions.h"

#include <algorithm>
#include <numeric>

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::to_value;
using ir::AttributeName;
using ir::Attributes;
using ir::Op;

Tensor scan(Op op, const Operand& a, int axis, bool exclusive, bool reverse) {
  Attributes attributes;
  if (exclusive) attributes.set(AttributeName::Exclusive, true);
  if (reverse) attributes.set(AttributeName::Reverse, true);
  return dsl::add_along(op, {&a}, axis, std::move(attributes));
}

Tensor arg(Op op, const Operand& a, int axis, bool keep) {
  const Tensor result = dsl::add_along(op, {&a}, axis);
  return keep ? unsqueeze(
                    dsl::operand_at(result, a.location()),
                    static_cast<int>(dsl::normalize_axis(axis, result.rank() + 1, a.location())))
              : result;
}

/// Normalizes over as many last dimensions as the weight has.
Tensor normalize(Op op, const Operand& a, const std::optional<Tensor>& weight,
                 const std::optional<Tensor>& bias, double epsilon) {
  const Tensor& tensor = dsl::tensor_of(op, a);
  if (bias && !weight) {
    support::throw_user_at(a.location(), "{} with a bias needs a weight too", ir::to_string(op));
  }
  const int count = weight ? weight->rank() : 1;
  if (count > tensor.rank()) {
    support::throw_user_at(a.location(), "{} of a tensor of rank {} with a weight of rank {}",
                           ir::to_string(op), tensor.rank(), count);
  }
  std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
  std::iota(axes.begin(), axes.end(), tensor.rank() - count);
  std::vector<ir::Value> values{to_value(tensor)};
  for (const std::optional<Tensor>& given : {weight, bias}) {
    if (!given) continue;
    dsl::check_current(given->trace(), a.location());
    values.push_back(to_value(*given));
  }
  return dsl::add_node(tensor.trace(), op, std::move(values),
                       {{AttributeName::Axes, axes}, {AttributeName::Epsilon, epsilon}},
                       a.location());
}

}  // namespace

Tensor ceil(const Operand& a) { return dsl::add_composite(Op::Ceil, {&a}); }
Tensor trunc(const Operand& a) { return dsl::add_composite(Op::Trunc, {&a}); }
Tensor frac(const Operand& a) { return dsl::add_composite(Op::Frac, {&a}); }
Tensor sign(const Operand& a) { return dsl::add_composite(Op::Sign, {&a}); }
Tensor copysign(const Operand& a, const Operand& b) {
  return dsl::add_composite(Op::CopySign, {&a, &b});
}
Tensor square(const Operand& a) { return dsl::add_composite(Op::Square, {&a}); }
Tensor isnan(const Operand& a) { return dsl::add_composite(Op::IsNan, {&a}); }
Tensor isinf(const Operand& a) { return dsl::add_composite(Op::IsInf, {&a}); }
Tensor isfinite(const Operand& a) { return dsl::add_composite(Op::IsFinite, {&a}); }
Tensor trunc_div(const Operand& a, const Operand& b) {
  return dsl::add_composite(Op::TruncDiv, {&a, &b});
}
Tensor rem(const Operand& a, const Operand& b) { return dsl::add_composite(Op::Rem, {&a, &b}); }
Tensor clamp(const Operand& a, const Operand& low, const Operand& high) {
  return dsl::add_composite(Op::Clamp, {&a, &low, &high});
}
Tensor lerp(const Operand& a, const Operand& b, const Operand& weight) {
  return dsl::add_composite(Op::Lerp, {&a, &b, &weight});
}
Tensor masked_fill(const Operand& a, const Operand& mask, const Operand& value) {
  return dsl::add_composite(Op::MaskedFill, {&a, &mask, &value});
}

Tensor relu(const Operand& a) { return dsl::add_composite(Op::Relu, {&a}); }
Tensor relu6(const Operand& a) { return dsl::add_composite(Op::Relu6, {&a}); }
Tensor leaky_relu(const Operand& a, double slope) {
  return dsl::add_composite(Op::LeakyRelu, {&a}, {{AttributeName::Alpha, slope}});
}
Tensor prelu(const Operand& a, const Operand& slope) {
  return dsl::add_composite(Op::Prelu, {&a, &slope});
}
Tensor threshold(const Operand& a, double limit, double value) {
  return dsl::add_composite(Op::Threshold, {&a},
                            {{AttributeName::Low, limit}, {AttributeName::Alpha, value}});
}
Tensor hardtanh(const Operand& a, double low, double high) {
  return dsl::add_composite(Op::Hardtanh, {&a},
                            {{AttributeName::Low, low}, {AttributeName::High, high}});
}
Tensor sigmoid(const Operand& a) { return dsl::add_composite(Op::Sigmoid, {&a}); }
Tensor silu(const Operand& a) { return dsl::add_composite(Op::Silu, {&a}); }
Tensor hardsigmoid(const Operand& a) { return dsl::add_composite(Op::Hardsigmoid, {&a}); }
Tensor hardswish(const Operand& a) { return dsl::add_composite(Op::Hardswish, {&a}); }
Tensor softsign(const Operand& a) { return dsl::add_composite(Op::Softsign, {&a}); }
Tensor gelu(const Operand& a) { return dsl::add_composite(Op::Gelu, {&a}); }
Tensor elu(const Operand& a, double alpha) {
  return dsl::add_composite(Op::Elu, {&a}, {{AttributeName::Alpha, alpha}});
}
Tensor selu(const Operand& a) { return dsl::add_composite(Op::Selu, {&a}); }
Tensor celu(const Operand& a, double alpha) {
  return dsl::add_composite(Op::Celu, {&a}, {{AttributeName::Alpha, alpha}});
}
Tensor softplus(const Operand& a, double beta) {
  return dsl::add_composite(Op::Softplus, {&a}, {{AttributeName::Beta, beta}});
}
Tensor mish(const Operand& a) { return dsl::add_composite(Op::Mish, {&a}); }
Tensor logsigmoid(const Operand& a) { return dsl::add_composite(Op::LogSigmoid, {&a}); }
Tensor gelu_tanh(const Operand& a) { return dsl::add_composite(Op::GeluTanh, {&a}); }
Tensor glu(const Operand& a, int axis, const std::string& activation) {
  return dsl::add_along(Op::Glu, {&a}, axis, {{AttributeName::Variant, activation}});
}

Tensor prod(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Prod, a, axes, keep);
}
Tensor any(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Any, a, axes, keep);
}
Tensor all(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::All, a, axes, keep);
}
Tensor var(const Operand& a, const std::vector<int>& axes, bool keep, double correction) {
  return dsl::reduce(Op::Var, a, axes, keep, {{AttributeName::Correction, correction}});
}
Tensor stddev(const Operand& a, const std::vector<int>& axes, bool keep, double correction) {
  return dsl::reduce(Op::Std, a, axes, keep, {{AttributeName::Correction, correction}});
}
Tensor logsumexp(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::LogSumExp, a, axes, keep);
}
Tensor norm(const Operand& a, const std::vector<int>& axes, bool keep, double order) {
  return dsl::reduce(Op::Norm, a, axes, keep, {{AttributeName::Order, order}});
}
Tensor count_nonzero(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::CountNonzero, a, axes, keep);
}
Tensor argmax(const Operand& a, int axis, bool keep) { return arg(Op::ArgMax, a, axis, keep); }
Tensor argmin(const Operand& a, int axis, bool keep) { return arg(Op::ArgMin, a, axis, keep); }

Tensor cumsum(const Operand& a, int axis, bool exclusive, bool reverse) {
  return scan(Op::CumSum, a, axis, exclusive, reverse);
}
Tensor cumprod(const Operand& a, int axis, bool exclusive, bool reverse) {
  return scan(Op::CumProd, a, axis, exclusive, reverse);
}
Tensor cummax(const Operand& a, int axis, bool reverse) {
  return scan(Op::CumMax, a, axis, false, reverse);
}
Tensor cummin(const Operand& a, int axis, bool reverse) {
  return scan(Op::CumMin, a, axis, false, reverse);
}

Tensor logcumsumexp(const Operand& a, int axis, bool exclusive, bool reverse) {
  return scan(Op::LogCumSumExp, a, axis, exclusive, reverse);
}

Tensor softmax(const Operand& a, int axis) { return dsl::add_along(Op::Softmax, {&a}, axis); }
Tensor log_softmax(const Operand& a, int axis) {
  return dsl::add_along(Op::LogSoftmax, {&a}, axis);
}
Tensor masked_softmax(const Operand& a, const Operand& mask, int axis) {
  return dsl::add_along(Op::MaskedSoftmax, {&a, &mask}, axis);
}
Tensor layer_norm(const Operand& a, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double epsilon) {
  return normalize(Op::LayerNorm, a, weight, bias, epsilon);
}
Tensor rms_norm(const Operand& a, const std::optional<Tensor>& weight, double epsilon) {
  return normalize(Op::RmsNorm, a, weight, {}, epsilon);
}
Tensor l2_normalize(const Operand& a, const std::vector<int>& axes, double epsilon) {
  const Tensor& tensor = dsl::require_tensor(a, "l2_normalize");
  return dsl::add_composite(Op::L2Normalize, {&a},
                            {{AttributeName::Axes, dsl::reduced_axes(tensor, axes, a.location())},
                             {AttributeName::Epsilon, epsilon}});
}

}  // namespace sinter
