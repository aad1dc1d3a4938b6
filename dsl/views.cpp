// Views, and leaves that need a shape.
#include "dsl/trace.h"
#include "sinter/tensor.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::to_value;
using ir::AttributeName;
using ir::Op;

Tensor with_shape(Op op, const Operand& a, const char* function, ir::Shape shape) {
  const Tensor& tensor = dsl::require_tensor(a, function);
  return dsl::add_node(tensor.trace(), op, {to_value(tensor)},
                       {{AttributeName::Shape, std::move(shape)}}, a.location());
}

}  // namespace

Tensor broadcast_to(const Operand& a, const std::vector<Dim>& shape) {
  return with_shape(Op::Broadcast, a, "broadcast_to", dsl::to_shape(shape));
}

Tensor permute(const Operand& a, const std::vector<int>& axes) {
  const Tensor& tensor = dsl::require_tensor(a, "permute");
  std::vector<std::int64_t> normalized;
  for (const int axis : axes) {
    normalized.push_back(dsl::normalize_axis(axis, tensor.rank(), a.location()));
  }
  return dsl::add_node(tensor.trace(), Op::Permute, {to_value(tensor)},
                       {{AttributeName::Axes, std::move(normalized)}}, a.location());
}

Tensor transpose(const Operand& a) {
  const int rank = dsl::require_tensor(a, "transpose").rank();
  if (rank < 2) {
    support::throw_user_at(a.location(), "transpose of a tensor of rank {}; rank 2 is needed",
                           rank);
  }
  std::vector<int> axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return permute(a, axes);
}

Tensor slice(const Operand& a, int axis, const Dim& begin, const Dim& extent, std::int64_t step) {
  const Tensor& tensor = dsl::require_tensor(a, "slice");
  ir::Shape shape = dsl::shape_of(tensor);
  const auto d = static_cast<std::size_t>(dsl::normalize_axis(axis, tensor.rank(), a.location()));
  ir::Shape begins(shape.size(), ir::Dim(0));
  std::vector<std::int64_t> steps(shape.size(), 1);
  begins[d] = begin.expr();
  shape[d] = extent.expr();
  steps[d] = step;
  return dsl::add_node(tensor.trace(), Op::Slice, {to_value(tensor)},
                       {{AttributeName::Shape, std::move(shape)},
                        {AttributeName::Begin, std::move(begins)},
                        {AttributeName::Step, std::move(steps)}},
                       a.location());
}

Tensor unsqueeze(const Operand& a, int axis) {
  const Tensor& tensor = dsl::require_tensor(a, "unsqueeze");
  ir::Shape shape = dsl::shape_of(tensor);
  const std::int64_t at = dsl::normalize_new_axis(axis, tensor.rank(), a.location());
  shape.insert(shape.begin() + at, ir::Dim(1));
  return with_shape(Op::Reshape, a, "unsqueeze", std::move(shape));
}

Tensor iota(DType dtype, const std::vector<Dim>& shape, int axis, const char* file, int line) {
  const SourceLocation location{file, line};
  const auto rank = static_cast<int>(shape.size());
  const std::int64_t normalized = dsl::normalize_axis(axis, rank, location);
  return dsl::add_node(dsl::current_trace(location), Op::Iota, {},
                       {{AttributeName::DType, dtype},
                        {AttributeName::Shape, dsl::to_shape(shape)},
                        {AttributeName::Axis, normalized}},
                       location);
}

Tensor size(const Dim& dim, DType dtype, const char* file, int line) {
  const SourceLocation location{file, line};
  const std::shared_ptr<dsl::Trace>& trace = dsl::current_trace(location);
  const Tensor value =
      dsl::add_node(trace, Op::Size, {}, {{AttributeName::Shape, ir::Shape{dim.expr()}}}, location);
  return dtype == DType::I64 ? value : cast(Operand(value, file, line), dtype);
}

}  // namespace sinter
