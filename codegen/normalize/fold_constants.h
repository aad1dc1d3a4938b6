// Evaluates pointwise operators whose operands are all constants, exactly as generated code would;
// broadcasts of constants count as constants, and so do sizes that are numbers.
//
// After: no pointwise operator and no view but broadcast has constants only; nothing else changes.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph fold_constants(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
