// Makes rounding explicit: f8, f16 and bf16 are computed in f32.
//
// Before: arithmetic of narrow floats. After: narrow floats occur only as parameters, results of
// casts and bitcasts, views and selections of these, and outputs; Functions of reductions are
// wide too. A narrow value that is an output is rounded, and its other consumers see it rounded; other
// narrow values are rounded only by casts (Rounding::Outputs) or all are (Rounding::Each).
#pragma once

#include "codegen/normalize/normalize.h"

namespace sinter::codegen {

ir::Graph widen_narrow_floats(const ir::Graph& graph, const NormalizeOptions& options);

}  // namespace sinter::codegen
