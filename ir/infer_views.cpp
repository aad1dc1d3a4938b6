// Types of views. Only what is wrong for every size is refused here; what depends on the sizes of a
// call is checked there (conditions.h).
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/infer_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

/// One dimension of a slice: elements begin, begin + step, ..., `count` of them.
struct SliceRange {
  const Dim& extent;
  const Dim& begin;
  const Dim& count;
  std::int64_t step;
};

/// What is certainly wrong with it, for every value of the sizes.
std::optional<std::string> find_slice_fault(const SliceRange& range) {
  const auto is_negative = [](const Dim& dim) {
    return is_provably_nonnegative(IndexExpr(-1) - dim, {});
  };
  const auto is_at_least = [](const Dim& dim, const Dim& bound) {
    return is_provably_nonnegative(dim - bound, {});
  };
  if (range.step == 0) return "the step is 0";
  if (is_negative(range.begin)) return fmt::format("it begins at {}", to_string(range.begin));
  if (!is_provably_positive(range.count, {})) return std::nullopt;
  const Dim last = range.begin + (range.count - 1) * range.step;
  for (const Dim& index : {range.begin, last}) {
    if (is_negative(index) || is_at_least(index, range.extent)) {
      return fmt::format("it reads element {} of {}", to_string(index), to_string(range.extent));
    }
  }
  return std::nullopt;
}

}  // namespace

IndexExpr element_count(const Shape& shape) {
  IndexExpr product = 1;
  for (const Dim& dim : shape) product = product * dim;
  return product;
}

Type infer_broadcast(const InferInput& input) {
  const Type& operand = input.types[0];
  const auto& target = input.attributes.get<Shape>(AttributeName::Shape);
  check_shape(target, input.location);
  if (operand.shape.size() > target.size()) {
    throw_user_at(input.location, "cannot broadcast {} to {}, which has fewer dimensions",
                  to_string(operand), to_string(target));
  }
  const std::size_t offset = target.size() - operand.shape.size();
  for (std::size_t d = 0; d < operand.shape.size(); ++d) {
    const Dim& from = operand.shape[d];
    const Dim& to = target[offset + d];
    if (from == 1 || !is_provably_different(from, to)) continue;
    throw_user_at(input.location, "cannot broadcast {} to {}: {}; only the number 1 stretches",
                  to_string(operand), to_string(target), describe_difference(from, to));
  }
  return {operand.dtype, target};
}

Type infer_reshape(const InferInput& input) {
  const Type& operand = input.types[0];
  const auto& target = input.attributes.get<Shape>(AttributeName::Shape);
  check_shape(target, input.location);
  const IndexExpr from = element_count(operand.shape);
  const IndexExpr to = element_count(target);
  if (is_provably_different(from, to)) {
    throw_user_at(input.location, "cannot reshape {} to {}: {} (the numbers of elements)",
                  to_string(operand), to_string(target), describe_difference(from, to));
  }
  return {operand.dtype, target};
}

Type infer_permute(const InferInput& input) {
  const Type& operand = input.types[0];
  const auto& axes = input.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  std::vector<std::int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = sorted.size() == operand.shape.size();
  for (std::size_t d = 0; is_permutation && d < sorted.size(); ++d) {
    is_permutation = sorted[d] == static_cast<std::int64_t>(d);
  }
  if (!is_permutation) {
    throw_user_at(input.location, "permute of {} needs each of its {} dimensions once; given [{}]",
                  to_string(operand), operand.shape.size(), fmt::join(axes, ", "));
  }
  Type result{operand.dtype, {}};
  for (const std::int64_t axis : axes) {
    result.shape.push_back(operand.shape[static_cast<std::size_t>(axis)]);
  }
  return result;
}

Type infer_slice(const InferInput& input) {
  const Type& operand = input.types[0];
  const auto& begin = input.attributes.get<Shape>(AttributeName::Begin);
  const auto& shape = input.attributes.get<Shape>(AttributeName::Shape);
  const auto& step = input.attributes.get<std::vector<std::int64_t>>(AttributeName::Step);
  check_shape(shape, input.location);
  const std::size_t rank = operand.shape.size();
  if (begin.size() != rank || shape.size() != rank || step.size() != rank) {
    throw_user_at(input.location,
                  "slice of {} needs {} begins, sizes and steps; given {}, {} and {}",
                  to_string(operand), rank, begin.size(), shape.size(), step.size());
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const auto fault = find_slice_fault({operand.shape[d], begin[d], shape[d], step[d]});
    if (!fault) continue;
    throw_user_at(input.location, "slice of {} is out of bounds in dimension {}: {}",
                  to_string(operand), d, *fault);
  }
  return {operand.dtype, shape};
}

}  // namespace sinter::ir
