// One random use of an operator in a growing graph.
#pragma once

#include "tests/support/graph_grower.h"

namespace sinter::tests {

/// Adds `op` on `operand` (leaves: on nothing), with other operands and attributes that fit; nullopt
/// where the draw does not.
std::optional<ir::Value> grow_operator(GraphGrower& grower, ir::Op op, ir::Value operand);
std::optional<ir::Value> grow_leaf(GraphGrower& grower, ir::Op op, DType dtype);
/// Adds `op` with a first operand of `dtype`, all operands being parameters of its own: what composites
/// need that take no random operand.
std::optional<ir::Value> grow_sample(GraphGrower& grower, ir::Op op, DType dtype);

}  // namespace sinter::tests
