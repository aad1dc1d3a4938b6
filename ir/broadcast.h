// NumPy's broadcasting with named dimensions: dimensions align at the right, only the number 1
// stretches.
#pragma once

#include <optional>

#include "ir/graph.h"

namespace sinter::ir {

/// The dimension that two of an expression become, neither the number 1; a number before an
/// expression. Nullopt where they never are equal; where that depends on the sizes, broadcast_value to
/// the result makes it a check of each call.
std::optional<Dim> unify_dims(const Dim& a, const Dim& b);

/// The common shape. UserError at `location` where the shapes never fit.
Shape broadcast_shapes(const Shape& a, const Shape& b, const SourceLocation& location);

/// `value` broadcast to `shape`; itself where it has that shape.
Value broadcast_value(Graph& graph, Value value, const Shape& shape,
                      const SourceLocation& location);

}  // namespace sinter::ir
