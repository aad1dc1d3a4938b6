// Types of reductions and scans.
#include <algorithm>

#include "ir/infer_rules.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

void check_axis(const InferInput& input, std::int64_t axis) {
  const std::size_t rank = input.types[0].shape.size();
  if (axis >= 0 && axis < static_cast<std::int64_t>(rank)) return;
  if (rank == 0) {
    throw_user_at(input.location, "{} of {} has no axis {}: rank 0 has no axes",
                  to_string(input.op), to_string(input.types[0]), axis);
  }
  throw_user_at(input.location, "{} of {} has no axis {}; axes count from 0 to {}",
                to_string(input.op), to_string(input.types[0]), axis, rank - 1);
}

/// The operand's shape without the dimensions of attribute axes.
Shape reduced_shape(const InferInput& input) {
  const auto& axes = input.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  std::vector<bool> is_reduced(input.types[0].shape.size());
  for (const std::int64_t axis : axes) {
    check_axis(input, axis);
    if (is_reduced[static_cast<std::size_t>(axis)]) {
      throw_user_at(input.location, "{} names axis {} twice", to_string(input.op), axis);
    }
    is_reduced[static_cast<std::size_t>(axis)] = true;
  }
  Shape shape;
  for (std::size_t d = 0; d < is_reduced.size(); ++d) {
    if (!is_reduced[d]) shape.push_back(input.types[0].shape[d]);
  }
  return shape;
}

/// Accumulator types of a fold with one operator.
std::vector<DType> infer_operator(const InferInput& input, Op op) {
  if (op == Op::None) {
    throw_user_at(input.location, "{} needs an operator or a function as its reducer",
                  to_string(input.op));
  }
  if (input.types.size() != 1) {
    throw_user_at(input.location, "{} of {} operands needs a function as its reducer; given {}",
                  to_string(input.op), input.types.size(), to_string(op));
  }
  if (!identity_of(op, input.types[0].dtype)) {
    throw_user_at(input.location, "{} cannot fold {} with {}: it has no identity there",
                  to_string(input.op), to_string(input.types[0]), to_string(op));
  }
  return {input.types[0].dtype};
}

/// Accumulator types of a fold with a Function.
std::vector<DType> infer_function(const InferInput& input, const Reducer& reducer) {
  const Graph& function = *reducer.function;
  const std::size_t count = input.types.size();
  if (const auto fault = find_function_fault(function)) {
    throw_user_at(input.location, "the reducer of {} does not fit: {}", to_string(input.op),
                  *fault);
  }
  if (function.outputs().size() != count || reducer.identity.size() != count) {
    throw_user_at(input.location,
                  "{} of {} needs a reducer of as many results and identities; given {} and {}",
                  to_string(input.op), support::counted(count, "operand"),
                  function.outputs().size(), reducer.identity.size());
  }
  std::vector<DType> accumulators;
  for (std::size_t i = 0; i < count; ++i) {
    const DType accumulator = function.type(function.outputs()[i]).dtype;
    const NodeId parameter = function.parameters()[count + i];
    const DType element = function.type({parameter, 0}).dtype;
    if (element != input.types[i].dtype) {
      throw_user_at(input.location, "the reducer's parameter %{} is {}, but the operand is {}",
                    function.parameter_name(parameter), to_string(element),
                    to_string(input.types[i]));
    }
    if (reducer.identity[i].dtype != accumulator) {
      throw_user_at(input.location, "the identity {} of the reducer is {}, but its result is {}",
                    to_string(reducer.identity[i]), to_string(reducer.identity[i].dtype),
                    to_string(accumulator));
    }
    accumulators.push_back(accumulator);
  }
  return accumulators;
}

/// One result a operand: the accumulator's dtype with `shape`.
std::vector<Type> infer_fold(const InferInput& input, const Shape& shape) {
  for (const Type& type : input.types) {
    if (type.shape == input.types[0].shape) continue;
    throw_user_at(input.location, "{} needs operands of equal shape; given {} and {}",
                  to_string(input.op), to_string(input.types[0]), to_string(type));
  }
  const auto& reducer = input.attributes.get<Reducer>(AttributeName::Reducer);
  const std::vector<DType> accumulators =
      reducer.function ? infer_function(input, reducer) : infer_operator(input, reducer.op);
  std::vector<Type> results;
  for (const DType accumulator : accumulators) results.push_back({accumulator, shape});
  return results;
}

}  // namespace

std::optional<std::string> find_function_fault(const Graph& function) {
  for (const Node& node : function.nodes()) {
    const bool is_scalar = node.op == Op::Parameter || info(node.op).level == OpLevel::Scalar ||
                           info(node.op).op_class == OpClass::Composite;
    if (!is_scalar) return fmt::format("{} is no scalar operator", to_string(node.op));
    if (node.attributes.find(AttributeName::Host)) return "a function has no host scalars";
    if (!node.results[0].shape.empty()) {
      return fmt::format("{} has type {}, but only rank 0 may occur", to_string(node.op),
                         to_string(node.results[0]));
    }
  }
  const std::size_t count = function.outputs().size();
  if (count == 0 || function.parameters().size() != 2 * count) {
    return fmt::format(
        "it has {} parameters and {} results; each result needs an accumulator and "
        "an element",
        function.parameters().size(), count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId parameter = function.parameters()[i];
    const DType accumulator = function.type({parameter, 0}).dtype;
    const DType result = function.type(function.outputs()[i]).dtype;
    if (accumulator != result) {
      return fmt::format("its accumulator %{} is {}, but result {} is {}",
                         function.parameter_name(parameter), to_string(accumulator), i,
                         to_string(result));
    }
  }
  return std::nullopt;
}

Type infer_reduction(const InferInput& input) {
  const DType dtype = input.types[0].dtype;
  const DType usual = input.op == Op::Sum || input.op == Op::Prod ? sum_dtype(dtype) : dtype;
  const DType named = input.attributes.get_or<DType>(AttributeName::DType, usual);
  const bool wraps = is_integer(named) && !is_float(dtype);
  if (named != usual && !wraps && (named == DType::Bool || !is_lossless_cast(dtype, named))) {
    throw_user_at(input.location,
                  "{} of {} in {}; a type that holds every {} is needed{}: cast the operand",
                  to_string(input.op), to_string(input.types[0]), to_string(named),
                  to_string(dtype), is_float(dtype) ? "" : ", or an integer type, which wraps");
  }
  return {named, reduced_shape(input)};
}

std::vector<Type> infer_reduce(const InferInput& input) {
  return infer_fold(input, reduced_shape(input));
}

std::vector<Type> infer_scan(const InferInput& input) {
  check_axis(input, input.attributes.get<std::int64_t>(AttributeName::Axis));
  return infer_fold(input, input.types[0].shape);
}

}  // namespace sinter::ir
