// Views of parts of a tensor: reversed, split, diagonals, windows.
#include <algorithm>

#include "dsl/trace.h"
#include "ir/define/indices.h"
#include "sinter/movement.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::operand_at;
using dsl::shape_of;
using dsl::to_value;
using ir::AttributeName;
using ir::Op;

/// The operand with dimension `axis` written as `extent`, which it is or each call is refused.
Tensor with_extent(const Operand& a, std::int64_t axis, const ir::Dim& extent) {
  const Tensor& tensor = *a.tensor();
  ir::Shape shape = ir::with_extent(shape_of(tensor), axis, extent);
  if (shape == shape_of(tensor)) return tensor;
  return dsl::add_node(tensor.trace(), Op::Broadcast, {to_value(tensor)},
                       {{AttributeName::Shape, std::move(shape)}}, a.location());
}

}  // namespace

Tensor flip(const Operand& a, const std::vector<int>& axes) {
  const Tensor& tensor = dsl::require_tensor(a, "flip");
  const ir::Shape& shape = shape_of(tensor);
  ir::Shape begins(shape.size(), ir::Dim(0));
  std::vector<std::int64_t> steps(shape.size(), 1);
  for (const std::int64_t axis : dsl::reduced_axes(tensor, axes, a.location())) {
    const auto d = static_cast<std::size_t>(axis);
    if (shape[d] == ir::Dim(0)) continue;
    begins[d] = shape[d] - 1;
    steps[d] = -1;
  }
  return dsl::add_node(tensor.trace(), Op::Slice, {to_value(tensor)},
                       {{AttributeName::Shape, shape},
                        {AttributeName::Begin, std::move(begins)},
                        {AttributeName::Step, std::move(steps)}},
                       a.location());
}

std::vector<Tensor> split(const Operand& a, const std::vector<Dim>& extents, int axis) {
  const Tensor& tensor = dsl::require_tensor(a, "split");
  const std::int64_t d = dsl::normalize_axis(axis, tensor.rank(), a.location());
  const ir::Dim& extent = shape_of(tensor)[static_cast<std::size_t>(d)];
  Dim total = 0;
  for (const Dim& part : extents) total = total + part;
  const bool stretches = extent == ir::Dim(1) && total.expr() != extent;
  if (stretches || ir::is_provably_different(extent, total.expr())) {
    support::throw_user_at(a.location(), "split of extent {} into parts that add up to {}",
                           ir::to_string(extent), total.text());
  }
  const Tensor whole = with_extent(a, d, total.expr());
  std::vector<Tensor> parts;
  Dim begin = 0;
  for (const Dim& part : extents) {
    parts.push_back(slice(operand_at(whole, a.location()), static_cast<int>(d), begin, part));
    begin = begin + part;
  }
  return parts;
}

std::vector<Tensor> chunk(const Operand& a, int count, int axis) {
  const Tensor& tensor = dsl::require_tensor(a, "chunk");
  const std::int64_t d = dsl::normalize_axis(axis, tensor.rank(), a.location());
  const ir::Dim& extent = shape_of(tensor)[static_cast<std::size_t>(d)];
  if (count < 1) {
    support::throw_user_at(a.location(), "chunk into {} parts; 1 is needed at least", count);
  }
  const ir::Dim part = ir::floor_div(extent, count);
  if (ir::is_provably_different(part * count, extent)) {
    support::throw_user_at(a.location(), "chunk of extent {} into {} equal parts; write split",
                           ir::to_string(extent), count);
  }
  return split(a, std::vector<Dim>(static_cast<std::size_t>(count), Dim(part)), axis);
}

Tensor diagonal(const Operand& a, std::int64_t offset, int row_axis, int column_axis) {
  const Tensor& tensor = dsl::require_tensor(a, "diagonal");
  const std::int64_t row = dsl::normalize_axis(row_axis, tensor.rank(), a.location());
  const std::int64_t column = dsl::normalize_axis(column_axis, tensor.rank(), a.location());
  if (row == column) {
    support::throw_user_at(a.location(), "diagonal of dimension {} and itself; two are needed",
                           row);
  }
  const ir::Expr expr(tensor.trace()->graph, to_value(tensor), a.location());
  const ir::Dim first_row = std::max<std::int64_t>(-offset, 0);
  const ir::Dim first_column = std::max<std::int64_t>(offset, 0);
  const ir::Dim length = ir::max(
      ir::min(expr.extent(row) - first_row, expr.extent(column) - first_column), ir::Dim(0));
  ir::Shape shape;
  for (std::int64_t d = 0; d < tensor.rank(); ++d) {
    if (d != row && d != column) shape.push_back(expr.extent(d));
  }
  shape.push_back(length);
  const auto last = static_cast<std::int64_t>(shape.size()) - 1;
  ir::Exprs indices;
  std::int64_t kept = 0;
  for (std::int64_t d = 0; d < tensor.rank(); ++d) {
    const bool is_kept = d != row && d != column;
    const ir::Expr place = ir::iota(expr, shape, is_kept ? kept++ : last);
    const ir::Dim& first = d == row ? first_row : first_column;
    const bool moves = !is_kept && first != ir::Dim(0);
    indices.push_back(moves ? place + ir::dim_value(expr, first) : place);
  }
  const ir::Value value = ir::gather(expr, indices).value();
  return {tensor.trace(), value.node, value.result};
}

Tensor unfold(const Operand& a, const std::vector<int>& axes,
              const std::vector<std::int64_t>& window, const std::vector<std::int64_t>& step,
              const std::vector<std::int64_t>& dilation) {
  const Tensor& tensor = dsl::require_tensor(a, "unfold");
  std::vector<std::int64_t> normalized;
  for (const int axis : axes) {
    normalized.push_back(dsl::normalize_axis(axis, tensor.rank(), a.location()));
  }
  const std::vector<std::int64_t> ones(axes.size(), 1);
  return dsl::add_node(tensor.trace(), Op::Unfold, {to_value(tensor)},
                       {{AttributeName::Axes, std::move(normalized)},
                        {AttributeName::Step, step.empty() ? ones : step},
                        {AttributeName::Window, window},
                        {AttributeName::Dilation, dilation.empty() ? ones : dilation}},
                       a.location());
}

}  // namespace sinter
