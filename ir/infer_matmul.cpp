// Types of matmul and einsum.
#include <algorithm>
#include <map>

#include "ir/equation.h"
#include "ir/infer_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

/// f8 products would hardly ever fit f8, nor those of small integers their own type.
DType product_dtype(DType dtype) {
  if (is_float(dtype)) return bits(dtype) == 8 ? DType::F32 : dtype;
  if (bits(dtype) > 32) return dtype;
  return is_signed_integer(dtype) ? DType::I32 : DType::U32;
}

/// Leading dimensions, aligned at the right; only the number 1 stretches.
Shape broadcast_batch(const InferInput& input) {
  const Shape& a = input.types[0].shape;
  const Shape& b = input.types[1].shape;
  const std::size_t rank = std::max(a.size(), b.size());
  const auto dim_of = [&](const Shape& shape, std::size_t d) {
    const std::size_t missing = rank - shape.size();
    return d < missing ? Dim(1) : shape[d - missing];
  };
  Shape batch;
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    const Dim left = dim_of(a, d);
    const Dim right = dim_of(b, d);
    if (left != right && left != 1 && right != 1) {
      throw_user_at(
          input.location, "matmul cannot broadcast the leading dimensions of {} and {}: {}",
          to_string(input.types[0]), to_string(input.types[1]), describe_difference(left, right));
    }
    batch.push_back(left == 1 ? right : left);
  }
  return batch;
}

}  // namespace

Type infer_matmul(const InferInput& input) {
  const Type& a = input.types[0];
  const Type& b = input.types[1];
  if (a.dtype != b.dtype) {
    throw_user_at(input.location, "matmul needs operands of one dtype; given {} and {}: cast one",
                  to_string(a), to_string(b));
  }
  if (a.shape.size() < 2 || b.shape.size() < 2) {
    throw_user_at(input.location,
                  "matmul needs operands of at least two dimensions; given {} and {}", to_string(a),
                  to_string(b));
  }
  const Dim& inner_a = a.shape[a.shape.size() - 1];
  const Dim& inner_b = b.shape[b.shape.size() - 2];
  if (inner_a != inner_b) {
    throw_user_at(input.location, "matmul needs [..., m, k] x [..., k, n]; given {} and {}: {}",
                  to_string(a), to_string(b), describe_difference(inner_a, inner_b));
  }
  Type result{product_dtype(a.dtype), broadcast_batch(input)};
  result.shape.push_back(a.shape[a.shape.size() - 2]);
  result.shape.push_back(b.shape[b.shape.size() - 1]);
  return result;
}

Type infer_einsum(const InferInput& input) {
  const auto& text = input.attributes.get<std::string>(AttributeName::Equation);
  const Equation equation = parse_equation(text, input.location);
  if (input.types[0].dtype != input.types[1].dtype) {
    throw_user_at(input.location, "einsum needs operands of one dtype; given {} and {}: cast one",
                  to_string(input.types[0]), to_string(input.types[1]));
  }
  std::map<char, Dim> extents;
  for (std::size_t i = 0; i < 2; ++i) {
    const Type& type = input.types[i];
    const std::string& labels = equation.operands[i];
    if (labels.size() != type.shape.size()) {
      throw_user_at(input.location, "einsum '{}': '{}' has {} labels, but the operand is {}", text,
                    labels, labels.size(), to_string(type));
    }
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const Dim& known = extents.try_emplace(labels[d], type.shape[d]).first->second;
      if (known == type.shape[d]) continue;
      throw_user_at(input.location, "einsum '{}': label {} has two extents: {}", text, labels[d],
                    describe_difference(known, type.shape[d]));
    }
  }
  Type result{product_dtype(input.types[0].dtype), {}};
  for (const char label : equation.result) result.shape.push_back(extents.at(label));
  return result;
}

}  // namespace sinter::ir
