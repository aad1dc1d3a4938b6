// Options become attributes.
#include "sinter/losses.h"

#include "dsl/composite.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;

Tensor loss(Op op, const Operand& a, const std::vector<Tensor>& others,
            const std::string& reduction, Attributes attributes = {}) {
  attributes.set(AttributeName::Variant, reduction);
  return dsl::add_composite(op, a, others, std::move(attributes));
}

}  // namespace

Tensor mse_loss(const Operand& a, const Tensor& b, const std::string& reduction) {
  return loss(Op::MseLoss, a, {b}, reduction);
}
Tensor l1_loss(const Operand& a, const Tensor& b, const std::string& reduction) {
  return loss(Op::L1Loss, a, {b}, reduction);
}
Tensor huber_loss(const Operand& a, const Tensor& b, double delta, const std::string& reduction) {
  return loss(Op::HuberLoss, a, {b}, reduction, {{AttributeName::Alpha, delta}});
}
Tensor smooth_l1_loss(const Operand& a, const Tensor& b, double beta,
                      const std::string& reduction) {
  return loss(Op::SmoothL1Loss, a, {b}, reduction, {{AttributeName::Alpha, beta}});
}
Tensor bce_loss(const Operand& a, const Tensor& b, const std::string& reduction) {
  return loss(Op::BceLoss, a, {b}, reduction);
}
Tensor bce_with_logits(const Operand& a, const Tensor& b, const std::string& reduction) {
  return loss(Op::BceWithLogits, a, {b}, reduction);
}
Tensor kl_div(const Operand& a, const Tensor& b, const std::string& reduction) {
  return loss(Op::KlDiv, a, {b}, reduction);
}

Tensor nll_loss(const Operand& a, const Tensor& labels, int axis, std::int64_t ignore,
                const std::string& reduction) {
  return loss(
      Op::NllLoss, a, {labels}, reduction,
      {{AttributeName::Axis, dsl::axis_of(Op::NllLoss, a, axis)}, {AttributeName::Ignore, ignore}});
}

Tensor cross_entropy(const Operand& a, const Tensor& target, const CrossEntropyOptions& options) {
  return loss(Op::CrossEntropy, a, {target}, options.reduction,
              {{AttributeName::Axis, dsl::axis_of(Op::CrossEntropy, a, options.axis)},
               {AttributeName::Smoothing, options.smoothing},
               {AttributeName::Ignore, options.ignore}});
}

Tensor hinge_loss(const Operand& a, const Tensor& b, double margin, const std::string& reduction) {
  return loss(Op::HingeLoss, a, {b}, reduction, {{AttributeName::Alpha, margin}});
}

Tensor cosine_similarity(const Operand& a, const Tensor& b, int axis, double epsilon) {
  return dsl::add_composite(Op::CosineSimilarity, a, {b},
                            {{AttributeName::Axis, dsl::axis_of(Op::CosineSimilarity, a, axis)},
                             {AttributeName::Epsilon, epsilon}});
}

Tensor triplet_loss(const Operand& a, const Tensor& near, const Tensor& far, int axis,
                    double margin, const std::string& reduction) {
  return loss(Op::TripletLoss, a, {near, far}, reduction,
              {{AttributeName::Axis, dsl::axis_of(Op::TripletLoss, a, axis)},
               {AttributeName::Alpha, margin}});
}

}  // namespace sinter
