// Removes work by rules that are exact for every value: NaN, infinities, -0.0 and wrapping included.
//
// Before: narrow floats are widened (a cast between equal types would round). After: no node to
// which a rule of simplify_algebra.cpp applies.
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph simplify_algebra(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
