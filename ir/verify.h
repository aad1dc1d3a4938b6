// Checks that a Graph or Kernel is well-formed; throws InternalError with the node that is not.
#pragma once

#include "ir/graph.h"
#include "ir/kernel.h"

namespace sinter::ir {

/// Operands come before their users, arities, levels and types fit ops.def, attributes are those
/// that the op needs and no others, result types equal the inferred ones, names are unique, there
/// is an output.
void verify_graph(const Graph& graph);
/// A Graph that may stand in a Reducer: rank 0, Scalar operators only, 2n parameters, n outputs.
void verify_function(const Graph& function);
/// As verify_graph; also domains equal the inferred ones, maps have their parameter's rank and
/// mention only axes and earlier values, reduced axes are in the operands' domain, every Out
/// parameter is stored and never loaded, every In parameter is never stored.
void verify_kernel(const Kernel& kernel);

}  // namespace sinter::ir
