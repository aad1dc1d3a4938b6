// Weight and bias become operands, options attributes.
#include "sinter/normalization.h"

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;

Tensor normalize(Op op, const Operand& a, std::vector<Tensor> others,
                 const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                 Attributes attributes) {
  if (bias && !weight) {
    support::throw_user_at(a.location(), "{} with a bias needs a weight too", ir::to_string(op));
  }
  if (weight) others.push_back(*weight);
  if (bias) others.push_back(*bias);
  return dsl::add_composite(op, a, others, std::move(attributes));
}

Attributes batch_attributes(Op op, const Operand& a, const BatchNormOptions& options) {
  return {{AttributeName::Axis, dsl::axis_of(op, a, options.axis)},
          {AttributeName::Epsilon, options.epsilon}};
}

}  // namespace

Tensor group_norm(const Operand& a, int groups, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double epsilon) {
  return normalize(
      Op::GroupNorm, a, {}, weight, bias,
      {{AttributeName::Epsilon, epsilon}, {AttributeName::Count, std::int64_t{groups}}});
}

Tensor instance_norm(const Operand& a, const std::optional<Tensor>& weight,
                     const std::optional<Tensor>& bias, double epsilon) {
  return normalize(Op::InstanceNorm, a, {}, weight, bias, {{AttributeName::Epsilon, epsilon}});
}

Tensor batch_norm(const Operand& a, const Tensor& mean, const Tensor& variance,
                  const BatchNormOptions& options) {
  return normalize(Op::BatchNorm, a, {mean, variance}, options.weight, options.bias,
                   batch_attributes(Op::BatchNorm, a, options));
}

BatchNormResult batch_norm_train(const Operand& a, const BatchNormOptions& options) {
  const Tensor result = normalize(Op::BatchNormTrain, a, {}, options.weight, options.bias,
                                  batch_attributes(Op::BatchNormTrain, a, options));
  return {result, dsl::result_of(result, 1), dsl::result_of(result, 2)};
}

}  // namespace sinter
