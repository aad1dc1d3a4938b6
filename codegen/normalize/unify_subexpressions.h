// Computes equal expressions once. Operands of commuting operators count as unordered.
//
// After: no two nodes with the same operator, operands and attributes.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph unify_subexpressions(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
