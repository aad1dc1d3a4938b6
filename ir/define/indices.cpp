// Index tensors from iota and sizes.
#include "ir/define/indices.h"

namespace sinter::ir {

Expr dim_value(const Expr& like, const Dim& dim) {
  const auto number = dim.as_constant();
  return number ? constant(like, make_integer_literal(DType::I64, *number))
                : size(like, dim, DType::I64);
}

Shape with_extent(Shape shape, std::int64_t axis, const Dim& extent) {
  shape.at(static_cast<std::size_t>(axis)) = extent;
  return shape;
}

Shape with_dimension(Shape shape, std::int64_t axis, const Dim& extent) {
  shape.insert(shape.begin() + axis, extent);
  return shape;
}

Expr gather_along(const Expr& a, std::int64_t axis, const Expr& index, const Shape& shape) {
  Exprs indices;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(a.rank()); ++d) {
    indices.push_back(d == axis ? broadcast_to(cast(index, DType::I64), shape) : iota(a, shape, d));
  }
  return gather(a, indices);
}

}  // namespace sinter::ir
