// Contracts a * b + c to fma(a, b, c), in fast mode only: the one place where this is done.
//
// After: in fast mode, no sum or difference has a product that nothing else uses.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph contract_fma(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
