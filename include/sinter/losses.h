// Losses. `reduction`: "none" (one an element, or a row), "mean" (over all of them) or "sum".
#pragma once

#include <cstdint>
#include <string>

#include "sinter/tensor.h"

namespace sinter {

Tensor mse_loss(const Operand& a, const Tensor& b, const std::string& reduction = "mean");
Tensor l1_loss(const Operand& a, const Tensor& b, const std::string& reduction = "mean");
Tensor huber_loss(const Operand& a, const Tensor& b, double delta = 1,
                  const std::string& reduction = "mean");
Tensor smooth_l1_loss(const Operand& a, const Tensor& b, double beta = 1,
                      const std::string& reduction = "mean");
/// Binary cross entropy of probabilities; logarithms are at least -100.
Tensor bce_loss(const Operand& a, const Tensor& b, const std::string& reduction = "mean");
Tensor bce_with_logits(const Operand& a, const Tensor& b, const std::string& reduction = "mean");
/// b (log(b) - a), for log-probabilities a.
Tensor kl_div(const Operand& a, const Tensor& b, const std::string& reduction = "mean");

/// Of log-probabilities along `axis`; labels are integers of the other dimensions. A label `ignore`
/// adds nothing to sum or mean, and 0 to "none"; one that is no class reads the log-probability 0.
Tensor nll_loss(const Operand& a, const Tensor& labels, int axis = 1, std::int64_t ignore = -100,
                const std::string& reduction = "mean");

struct CrossEntropyOptions {
  int axis = 1;
  /// This share of each label is spread evenly over all classes.
  double smoothing = 0;
  std::int64_t ignore = -100;
  std::string reduction = "mean";
};
/// Of scores along `axis`; the target is integer labels, or probabilities of the scores' type.
Tensor cross_entropy(const Operand& a, const Tensor& target,
                     const CrossEntropyOptions& options = {});

/// maximum(0, margin - a b) for b of -1 and 1.
Tensor hinge_loss(const Operand& a, const Tensor& b, double margin = 1,
                  const std::string& reduction = "mean");
/// Along one axis.
Tensor cosine_similarity(const Operand& a, const Tensor& b, int axis = 1, double epsilon = 1e-8);
/// maximum(norm(a - near) - norm(a - far) + margin, 0) along one axis.
Tensor triplet_loss(const Operand& a, const Tensor& near, const Tensor& far, int axis = -1,
                    double margin = 1, const std::string& reduction = "mean");

}  // namespace sinter
