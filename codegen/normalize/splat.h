// Constants as rules see them: a constant node, or a broadcast of one.
#pragma once

#include <optional>

#include "ir/graph.h"

namespace sinter::codegen {

/// The literal that every element of `value` is, where that is known.
std::optional<ir::Literal> splat_of(const ir::Graph& graph, ir::Value value);

/// Appends a constant and, unless `shape` is of rank 0, its broadcast.
ir::Value add_splat(ir::Graph& graph, const ir::Literal& literal, const ir::Shape& shape,
                    const SourceLocation& location);

}  // namespace sinter::codegen
