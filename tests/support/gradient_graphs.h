// Graphs to differentiate: every operator that has a derivative, in every form that its rule tells apart.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

/// Small graphs on operands of `dtype` with a floating result: those of make_operator_graphs, one for each
/// elementwise primitive, and several for each other one, of extents 0 and 1 too.
std::vector<ir::Graph> make_differentiable_graphs(ir::DType dtype);

}  // namespace sinter::tests
