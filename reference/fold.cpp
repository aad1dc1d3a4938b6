// The kinds of folds: float sums and products have bounds of their own, all others fold pairwise.
#include "reference/fold.h"

#include <algorithm>
#include <array>

#include "reference/rounding.h"
#include "reference/scalar.h"
#include "support/check.h"

namespace sinter::reference {

using ir::DType;
using ir::Op;

namespace {

class SumFold : public Fold {
 public:
  SumFold(DType dtype, std::int64_t longest_chain)
      : compute_(ir::compute_dtype(dtype)), longest_chain_(longest_chain) {}
  void push(std::span<const Element> elements) override {
    sum_.add(elements[0].real, elements[0].bound);
  }
  void results(std::span<Element> out) const override {
    out[0] = sum_.result(compute_, limit_chain(sum_.count() - 1, longest_chain_));
  }

 protected:
  DType compute_;
  std::int64_t longest_chain_;
  FloatSum sum_;
};

/// A product of n factors in any order: its relative error is that of n - 1 roundings. A partial
/// product may lose up to a subnormal to underflow, which the factors above 1 then magnify.
class ProductFold : public Fold {
 public:
  explicit ProductFold(DType dtype) : compute_(ir::compute_dtype(dtype)) {}
  void push(std::span<const Element> elements) override {
    const Element& factor = elements[0];
    ++count_;
    nan_ = nan_ || factor.is_certain_nan();
    special_ = special_ || factor.is_undecided() || std::isinf(factor.real);
    infinite_ = infinite_ || (std::isinf(factor.real) && !factor.is_undecided());
    const Wide largest = std::abs(factor.real) + factor.bound;
    product_ *= factor.real;
    magnitude_ *= largest;
    above_one_ *= std::max<Wide>(largest, 1);
    smallest_ = std::min(smallest_, std::abs(factor.real));
    if (!factor.is_exact() || factor.is_undecided()) exact_ = false;
  }
  void results(std::span<Element> out) const override { out[0] = result(); }

 private:
  Element result() const {
    if (nan_) return make_real(kNan);
    if (special_) {
      // Factors below 1 may underflow to 0 before they meet an infinity.
      const bool certain = exact_ && infinite_ && (std::isnan(product_) || smallest_ >= 1);
      return certain ? make_real(product_) : make_undecided(make_real(product_));
    }
    if (count_ < 2 && exact_) return make_real(product_);
    const Wide u = unit_roundoff(compute_);
    const Wide lost = static_cast<Wide>(count_) * smallest_positive(compute_) * above_one_;
    const Wide error = magnitude_ - std::abs(product_) +
                       magnitude_ * gamma_factor(std::max<std::int64_t>(count_ - 1, 0), u) + lost;
    const bool may_overflow = above_one_ > largest_finite(compute_);
    const Element result = computed_element(compute_, product_, error, 0);
    return may_overflow && !std::isinf(result.real) ? make_undecided(result) : result;
  }

  DType compute_;
  Wide product_ = 1;
  Wide magnitude_ = 1;
  Wide above_one_ = 1;
  Wide smallest_ = kInfinity;
  std::int64_t count_ = 0;
  bool nan_ = false;
  bool special_ = false;
  bool infinite_ = false;
  bool exact_ = true;
};

/// Integers, and the float folds that round nothing.
class PairwiseFold : public Fold {
 public:
  PairwiseFold(Op op, DType dtype) : op_(op), dtype_(dtype) {
    // Narrow floats fold in f32: f8e4m3 has no infinity, but the fold begins at one.
    const auto identity = ir::identity_of(op, ir::compute_dtype(dtype));
    support::check(identity.has_value(), "{} of {} has no identity", ir::to_string(op),
                   to_string(dtype));
    running_ = make_literal_element(*identity);
  }
  void push(std::span<const Element> elements) override {
    running_ = evaluate_scalar(op_, dtype_, dtype_, std::array{running_, elements[0]});
  }
  void results(std::span<Element> out) const override { out[0] = running_; }

 private:
  Op op_;
  DType dtype_;
  Element running_;
};

class FunctionFold : public Fold {
 public:
  explicit FunctionFold(const ir::Reducer& reducer) : function_(*reducer.function) {
    for (const ir::Literal& literal : reducer.identity) {
      running_.push_back(make_literal_element(literal));
    }
  }
  void push(std::span<const Element> elements) override {
    std::vector<Element> values;
    std::size_t parameter = 0;
    for (const ir::Node& node : function_.nodes()) {
      values.push_back(evaluate_node(node, values, elements, parameter));
    }
    for (std::size_t i = 0; i < running_.size(); ++i) {
      running_[i] = values[function_.outputs()[i].node];
    }
  }
  void results(std::span<Element> out) const override {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      out[i] = running_[i];
      out[i].bound *= 2;
    }
  }

 private:
  Element evaluate_node(const ir::Node& node, const std::vector<Element>& values,
                        std::span<const Element> elements, std::size_t& parameter) const {
    if (node.op == Op::Parameter) {
      const std::size_t index = parameter++;
      return index < running_.size() ? running_[index] : elements[index - running_.size()];
    }
    if (node.op == Op::Constant) {
      return make_literal_element(node.attributes.get<ir::Literal>(ir::AttributeName::Value));
    }
    std::array<Element, 3> operands{};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      operands[i] = values[node.operands[i].node];
    }
    const DType dtype = function_.type(node.operands.back()).dtype;
    if (node.op == Op::Bitcast && ir::is_float(dtype)) {
      operands[0] = round_element(dtype, operands[0]);
    }
    return evaluate_scalar(node.op, dtype, node.results[0].dtype,
                           std::span(operands).first(node.operands.size()));
  }

  const ir::Graph& function_;
  std::vector<Element> running_;
};

}  // namespace

void FloatSum::add(Wide term, Wide propagated) {
  ++count_;
  if (std::isinf(propagated)) {
    undecided_ = true;
    return;
  }
  sum_ += term;
  magnitude_ += std::abs(term) + propagated;
  propagated_ += propagated;
  if (std::isfinite(term)) finite_ += std::abs(term) + propagated;
  nan_ = nan_ || std::isnan(term);
  positive_ = positive_ || term + propagated > 0;
  negative_ = negative_ || term - propagated < 0;
  whole_ = whole_ && propagated == 0 && std::rint(term) == term;
}

Element FloatSum::result(DType compute, std::int64_t roundings, Wide relative) const {
  if (nan_) return make_real(kNan);
  if (undecided_) return make_undecided(make_real(sum_));
  if (std::isnan(sum_)) return make_real(kNan);  // +inf and -inf
  const Wide largest = largest_finite(compute);
  const Wide factor = gamma_factor(roundings, unit_roundoff(compute)) + relative;
  // Finite terms may overflow the other way before they meet the infinity.
  if (std::isinf(sum_) && finite_ * (1 + factor) > largest) return make_undecided(make_real(sum_));
  if (std::isinf(sum_)) return make_real(sum_);
  // Partial sums of both signs may overflow, and meet as NaN, whatever the whole sum is.
  if (positive_ && negative_ && magnitude_ * (1 + factor) > largest) {
    return make_undecided(make_real(sum_));
  }
  // Whole numbers that are small enough add up without rounding, in any order; half of that leaves room
  // for a schedule that splits the terms.
  const bool exact =
      whole_ && relative == 0 && magnitude_ <= std::ldexp(1.0L, ir::significand_bits(compute) - 1);
  Element result =
      computed_element(compute, sum_, exact ? 0 : propagated_ + factor * magnitude_, 0);
  // Whether an identity of +0.0 takes part in a sum of -0.0s is open: either zero is right.
  if (result.real == 0 && result.is_exact() && count_ > 0) {
    result.bound = static_cast<double>(smallest_positive(compute));
  }
  return result;
}

std::int64_t limit_chain(std::int64_t roundings, std::int64_t longest_chain) {
  return longest_chain > 0 ? std::min(roundings, longest_chain) : roundings;
}

Element make_literal_element(const ir::Literal& literal) {
  if (ir::is_float(literal.dtype)) return make_real(decode_real(literal.dtype, literal.bits));
  return make_bits(wrap_to(literal.dtype, literal.bits));
}

std::unique_ptr<Fold> make_fold(Op op, DType dtype, std::int64_t longest_chain) {
  if (ir::is_float(dtype) && op == Op::Add) return std::make_unique<SumFold>(dtype, longest_chain);
  if (ir::is_float(dtype) && op == Op::Mul) return std::make_unique<ProductFold>(dtype);
  return std::make_unique<PairwiseFold>(op, dtype);
}

std::unique_ptr<Fold> make_function_fold(const ir::Reducer& reducer) {
  return std::make_unique<FunctionFold>(reducer);
}

}  // namespace sinter::reference
