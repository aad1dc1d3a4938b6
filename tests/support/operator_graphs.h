// One small graph for every operator and dtype, for tests that no operator may escape.
#pragma once

#include <optional>
#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

/// A graph of the one operator on operands of `dtype` (others where it needs them), of a few dozen
/// elements; nullopt where it takes no such operand. Reductions and composites only.
std::optional<ir::Graph> make_operator_graph(ir::Op op, DType dtype);

/// All of them.
std::vector<ir::Graph> make_operator_graphs();

}  // namespace sinter::tests
