// Index maps of views: where an element of a view lies in the view's operand.
#pragma once

#include "ir/graph.h"
#include "ir/index_expr.h"

namespace sinter::codegen {

/// For the view node `view` read at `indices` (one expression a dimension of its result): the
/// indices of its operand, simplified with the ranges of `extent`.
ir::Shape map_view(const ir::Graph& graph, const ir::Node& view, const ir::Shape& indices,
                   const ir::AxisExtent& extent);

}  // namespace sinter::codegen
