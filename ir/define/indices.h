// Reads at computed places, for definitions that move elements. What is made of iota and sizes by
// + - * // % min max becomes part of index maps and costs nothing.
#pragma once

#include "ir/define/expr.h"

namespace sinter::ir {

/// The value of a dimension as i64 of rank 0.
Expr dim_value(const Expr& like, const Dim& dim);

/// `shape` with dimension `axis` replaced.
Shape with_extent(Shape shape, std::int64_t axis, const Dim& extent);
/// `shape` with a dimension before `axis`.
Shape with_dimension(Shape shape, std::int64_t axis, const Dim& extent);

/// result[.., p, ..] = a[.., index[.., p, ..], ..] of `shape`, to which `index` is broadcast; other
/// dimensions of `a` are those of `shape`. An index outside reads 0.
Expr gather_along(const Expr& a, std::int64_t axis, const Expr& index, const Shape& shape);

}  // namespace sinter::ir
