// One small graph for every operator and dtype, for tests that no operator may escape.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

/// Graphs of every composite and reduction on operands of several dtypes (others where it needs them), of
/// a few dozen elements: one for each form that the operator has.
std::vector<ir::Graph> make_operator_graphs();

}  // namespace sinter::tests
