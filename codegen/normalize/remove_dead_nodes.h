// Drops nodes that no output needs; parameters stay, they are the operator's signature.
//
// After: every node but parameters is needed.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph remove_dead_nodes(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
