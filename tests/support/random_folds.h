// Random reductions, scans and contractions of a value in a growing graph.
#pragma once

#include "tests/support/graph_grower.h"

namespace sinter::tests {

/// The new value, or nullopt where the draw does not fit.
std::optional<ir::Value> grow_reduction(GraphGrower& grower, ir::Op op, ir::Value operand);
std::optional<ir::Value> grow_scan(GraphGrower& grower, ir::Value operand);
std::optional<ir::Value> grow_matmul(GraphGrower& grower, ir::Value operand);
/// Any labels of the operand against a second operand with some of them and a new one.
std::optional<ir::Value> grow_einsum(GraphGrower& grower, ir::Value operand);

}  // namespace sinter::tests
