// The search of plan: which fusions are tried, in which order.
#pragma once

#include "codegen/plan/partition.h"

namespace sinter::codegen {

/// Afterwards no single step that is tried would make the predicted time smaller.
void improve_partition(const ir::Graph& graph, Partition& partition);

}  // namespace sinter::codegen
