// Random views, padding and gathers of a value in a growing graph.
#pragma once

#include "tests/support/graph_grower.h"

namespace sinter::tests {

/// The new value, or nullopt where the draw does not fit.
std::optional<ir::Value> grow_view(GraphGrower& grower, ir::Op op, ir::Value operand);
/// Before, after, and with negative numbers inside of the operand.
std::optional<ir::Value> grow_pad(GraphGrower& grower, ir::Value operand);
/// At indices that are computed, read, or known from axes; some of them outside.
std::optional<ir::Value> grow_gather(GraphGrower& grower, ir::Value operand);

}  // namespace sinter::tests
