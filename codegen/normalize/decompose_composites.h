// Replaces composites by what they are defined as.
//
// Before: narrow floats are widened. After: no operator of class Composite.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph decompose_composites(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
