// Inside type inference only: the rules of infer.cpp, split by class of operator. Each takes what
// infer_types takes, with arity, dtypes column and attributes' presence and kind already checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

struct InferInput {
  Op op;
  const std::vector<Type>& types;
  const Attributes& attributes;
  const SourceLocation& location;
};

// infer_views.cpp
Type infer_broadcast(const InferInput& input);
Type infer_reshape(const InferInput& input);
Type infer_permute(const InferInput& input);
Type infer_slice(const InferInput& input);
// infer_movement.cpp
Type infer_unfold(const InferInput& input);
Type infer_pad(const InferInput& input);
Type infer_gather(const InferInput& input);
// infer_folds.cpp
Type infer_reduction(const InferInput& input);
std::vector<Type> infer_reduce(const InferInput& input);
std::vector<Type> infer_scan(const InferInput& input);
// infer_matmul.cpp
Type infer_matmul(const InferInput& input);
Type infer_einsum(const InferInput& input);
// define/composite.cpp
std::vector<Type> infer_composite(const InferInput& input);

/// UserError unless every dimension mentions sizes only and none is below 0 for certain.
void check_shape(const Shape& shape, const SourceLocation& location);
/// Product of the dimensions.
IndexExpr element_count(const Shape& shape);
/// "n is not m", or that it cannot be shown and what to do about it.
std::string describe_difference(const Dim& a, const Dim& b);
/// Why `function` cannot stand in a Reducer; nullopt where it can.
std::optional<std::string> find_function_fault(const Graph& function);

}  // namespace sinter::ir
