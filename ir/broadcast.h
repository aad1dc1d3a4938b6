// NumPy's broadcasting with named dimensions: dimensions align at the right, only the number 1
// stretches.
#pragma once

#include "ir/graph.h"

namespace sinter::ir {

/// The common shape. UserError at `location` where the shapes do not fit.
Shape broadcast_shapes(const Shape& a, const Shape& b, const SourceLocation& location);

/// `value` broadcast to `shape`; itself where it has that shape.
Value broadcast_value(Graph& graph, Value value, const Shape& shape,
                      const SourceLocation& location);

}  // namespace sinter::ir
