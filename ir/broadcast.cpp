// Aligns shapes at the right.
#include "ir/broadcast.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::ir {

std::optional<Dim> unify_dims(const Dim& a, const Dim& b) {
  if (is_provably_different(a, b)) return std::nullopt;
  return b.is_constant() ? b : a;
}

Shape broadcast_shapes(const Shape& a, const Shape& b, const SourceLocation& location) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape shape(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const Dim left = d + a.size() < rank ? Dim(1) : a[d + a.size() - rank];
    const Dim right = d + b.size() < rank ? Dim(1) : b[d + b.size() - rank];
    if (left == Dim(1) || right == Dim(1)) {
      shape[d] = left == Dim(1) ? right : left;
    } else if (const auto dim = unify_dims(left, right)) {
      shape[d] = *dim;
    } else {
      support::throw_user_at(location,
                             "shapes {} and {} do not broadcast: {} against {} (only the number 1 "
                             "stretches)",
                             to_string(a), to_string(b), to_string(left), to_string(right));
    }
  }
  return shape;
}

Value broadcast_value(Graph& graph, Value value, const Shape& shape,
                      const SourceLocation& location) {
  if (graph.type(value).shape == shape) return value;
  return graph.add(Op::Broadcast, {value}, {{AttributeName::Shape, shape}}, location);
}

}  // namespace sinter::ir
