// Reductions and matrix products.
#include <algorithm>
#include <numeric>

#include "dsl/trace.h"
#include "ir/broadcast.h"
#include "sinter/tensor.h"
#include "support/check.h"

namespace sinter {

namespace dsl {

std::vector<std::int64_t> reduced_axes(const Tensor& tensor, const std::vector<int>& axes,
                                       const SourceLocation& location) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(tensor.rank()));
  std::iota(result.begin(), result.end(), 0);
  if (axes.empty()) return result;
  result.clear();
  for (const int axis : axes) {
    result.push_back(normalize_axis(axis, tensor.rank(), location));
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    support::throw_user_at(location, "axes {{{}}} name a dimension twice", fmt::join(axes, ", "));
  }
  return result;
}

Tensor reduce(ir::Op op, const Operand& a, const std::vector<int>& axes, bool keep,
              ir::Attributes attributes) {
  const Tensor& tensor = require_tensor(a, std::string(ir::to_string(op)).c_str());
  const std::vector<std::int64_t> reduced = reduced_axes(tensor, axes, a.location());
  attributes.set(ir::AttributeName::Axes, reduced);
  const Tensor result =
      add_node(tensor.trace(), op, {to_value(tensor)}, std::move(attributes), a.location());
  if (!keep) return result;
  ir::Shape shape = tensor.trace()->graph.type(to_value(tensor)).shape;
  for (const std::int64_t axis : reduced) shape[static_cast<std::size_t>(axis)] = ir::Dim(1);
  return add_node(tensor.trace(), ir::Op::Reshape, {to_value(result)},
                  {{ir::AttributeName::Shape, std::move(shape)}}, a.location());
}

}  // namespace dsl

namespace {

using dsl::to_value;
using ir::AttributeName;
using ir::Op;

Tensor sum_as(Op op, const Operand& a, const std::vector<int>& axes, const SumOptions& options) {
  ir::Attributes attributes;
  if (options.dtype) attributes.set(AttributeName::DType, *options.dtype);
  return dsl::reduce(op, a, axes, options.keep, std::move(attributes));
}

// A rank-1 operand becomes a matrix for the product.
Tensor as_matrix(const Tensor& tensor, bool is_left, const SourceLocation& location) {
  const ir::Type& type = tensor.trace()->graph.type(to_value(tensor));
  if (type.shape.size() != 1) return tensor;
  ir::Shape shape = is_left ? ir::Shape{1, type.shape[0]} : ir::Shape{type.shape[0], 1};
  return dsl::add_node(tensor.trace(), Op::Reshape, {to_value(tensor)},
                       {{AttributeName::Shape, std::move(shape)}}, location);
}

/// Operands of a product with dimensions that may differ written as one: what is then left unequal is
/// the number 1, or wrong.
std::pair<ir::Value, ir::Value> unify_operands(ir::Graph& graph, ir::Value a, ir::Value b,
                                               const SourceLocation& location) {
  ir::Shape left = graph.type(a).shape;
  ir::Shape right = graph.type(b).shape;
  const auto unify = [](ir::Dim& x, ir::Dim& y) {
    const auto dim = ir::unify_dims(x, y);
    if (dim) x = y = *dim;
  };
  unify(left[left.size() - 1], right[right.size() - 2]);
  for (std::size_t d = 3; d <= std::min(left.size(), right.size()); ++d) {
    ir::Dim& x = left[left.size() - d];
    ir::Dim& y = right[right.size() - d];
    if (x != ir::Dim(1) && y != ir::Dim(1)) unify(x, y);
  }
  return {ir::broadcast_value(graph, a, left, location),
          ir::broadcast_value(graph, b, right, location)};
}

}  // namespace

Tensor sum(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Sum, a, axes, keep);
}
Tensor sum(const Operand& a, const std::vector<int>& axes, const SumOptions& options) {
  return sum_as(Op::Sum, a, axes, options);
}
Tensor max(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Max, a, axes, keep);
}
Tensor min(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Min, a, axes, keep);
}
Tensor mean(const Operand& a, const std::vector<int>& axes, bool keep) {
  return dsl::reduce(Op::Mean, a, axes, keep);
}
Tensor mean(const Operand& a, const std::vector<int>& axes, const SumOptions& options) {
  return sum_as(Op::Mean, a, axes, options);
}

Tensor matmul(const Operand& a, const Operand& b, Precision precision) {
  const Tensor& left = dsl::require_tensor(a, "matmul");
  const Tensor& right = dsl::require_tensor(b, "matmul");
  const std::shared_ptr<dsl::Trace> trace = dsl::trace_of({&a, &b});
  if (left.rank() == 0 || right.rank() == 0) {
    support::throw_user_at(a.location(),
                           "matmul of tensors of rank {} and {}; rank 1 at least is needed",
                           left.rank(), right.rank());
  }
  const ir::Value row = to_value(as_matrix(left, true, a.location()));
  const ir::Value column = to_value(as_matrix(right, false, a.location()));
  const auto [x, y] = unify_operands(trace->graph, row, column, a.location());
  const Tensor product = dsl::add_node(
      trace, Op::Matmul, {x, y},
      {{AttributeName::Precision, static_cast<ir::Precision>(precision)}}, a.location());
  if (left.rank() > 1 && right.rank() > 1) return product;
  ir::Shape shape = trace->graph.type(to_value(product)).shape;
  if (right.rank() == 1) shape.erase(shape.end() - 1);
  if (left.rank() == 1) shape.erase(shape.end() - (right.rank() == 1 ? 1 : 2));
  return dsl::add_node(trace, Op::Reshape, {to_value(product)},
                       {{AttributeName::Shape, std::move(shape)}}, a.location());
}

}  // namespace sinter
