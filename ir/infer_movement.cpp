// Types of windows, padding and gathers.
#include "ir/infer_rules.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

/// Places of a window of `span` elements in `extent`, `step` apart; none where it does not fit.
Dim window_places(const Dim& extent, std::int64_t span, std::int64_t step) {
  const Dim places = floor_div(extent - span, step) + 1;
  return is_provably_nonnegative(places, {}) ? places : max(places, 0);
}

}  // namespace

Type infer_unfold(const InferInput& input) {
  using Integers = std::vector<std::int64_t>;
  const auto& axes = input.attributes.get<Integers>(AttributeName::Axes);
  const auto& step = input.attributes.get<Integers>(AttributeName::Step);
  const auto& window = input.attributes.get<Integers>(AttributeName::Window);
  const auto& dilation = input.attributes.get<Integers>(AttributeName::Dilation);
  if (step.size() != axes.size() || window.size() != axes.size() ||
      dilation.size() != axes.size()) {
    throw_user_at(input.location,
                  "unfold over {} needs as many steps, windows and dilations; given {}, {} and {}",
                  support::counted(axes.size(), "dimension"), step.size(), window.size(),
                  dilation.size());
  }
  Type result = input.types[0];
  const std::size_t rank = result.shape.size();
  std::vector<bool> is_taken(rank);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const auto axis = static_cast<std::size_t>(axes[d]);
    if (axes[d] < 0 || axis >= rank || is_taken[axis]) {
      throw_user_at(input.location, "unfold of {} needs dimensions of it, each once; given {}",
                    to_string(input.types[0]), axes[d]);
    }
    is_taken[axis] = true;
    if (step[d] < 1 || window[d] < 0 || dilation[d] < 1) {
      throw_user_at(input.location,
                    "unfold needs steps and dilations of at least 1 and no negative window; given "
                    "step {}, window {} and dilation {}",
                    step[d], window[d], dilation[d]);
    }
    const std::int64_t span = window[d] == 0 ? 0 : dilation[d] * (window[d] - 1) + 1;
    result.shape[axis] = window_places(result.shape[axis], span, step[d]);
    result.shape.emplace_back(window[d]);
  }
  return result;
}

Type infer_pad(const InferInput& input) {
  const Type& operand = input.types[0];
  const auto& shape = input.attributes.get<Shape>(AttributeName::Shape);
  const auto& begin = input.attributes.get<Shape>(AttributeName::Begin);
  const auto& outside = input.attributes.get<Literal>(AttributeName::Outside);
  check_shape(shape, input.location);
  if (shape.size() != operand.shape.size() || begin.size() != operand.shape.size()) {
    throw_user_at(input.location, "pad of {} needs {} begins and sizes; given {} and {}",
                  to_string(operand), operand.shape.size(), begin.size(), shape.size());
  }
  if (outside.dtype != operand.dtype) {
    throw_user_at(input.location, "pad of {} needs a value of that type; given {}",
                  to_string(operand), to_string(outside.dtype));
  }
  return {operand.dtype, shape};
}

Type infer_gather(const InferInput& input) {
  const Type& operand = input.types[0];
  if (input.types.size() != operand.shape.size() + 1 || input.types.size() < 2) {
    throw_user_at(input.location,
                  "gather from {} needs one index tensor for each of its {} "
                  "dimensions, and at least one; given {}",
                  to_string(operand), operand.shape.size(), input.types.size() - 1);
  }
  for (std::size_t i = 1; i < input.types.size(); ++i) {
    const Type& index = input.types[i];
    if (is_integer(index.dtype) && index == input.types[1]) continue;
    throw_user_at(input.location, "gather needs integer indices of one type; given {} and {}",
                  to_string(input.types[1]), to_string(index));
  }
  return {operand.dtype, input.types[1].shape};
}

}  // namespace sinter::ir
