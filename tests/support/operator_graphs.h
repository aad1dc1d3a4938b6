// One small graph for every operator and dtype, for tests that no operator may escape.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

/// Graphs of the one operator on operands of `dtype` (others where it needs them), of a few dozen
/// elements, one for each of its variants; none where it takes no such operand. Reductions and
/// composites only.
std::vector<ir::Graph> make_operator_graphs(ir::Op op, DType dtype);

/// All of them.
std::vector<ir::Graph> make_operator_graphs();

}  // namespace sinter::tests
