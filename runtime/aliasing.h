// Which outputs may share memory with which inputs.
#pragma once

#include <span>
#include <string>

#include "codegen/plan/plan.h"
#include "ir/graph.h"
#include "sinter/tensor_view.h"

namespace sinter::runtime {

/// UserError where an output overlaps an input or another output, unless the result cannot depend
/// on it: the same elements (address, shape, strides), and the plan is one kernel that reads each
/// element of that input only to write the same element of that output.
void check_aliasing(const ir::Graph& graph, const codegen::Plan& plan,
                    std::span<const TensorView> inputs, std::span<const TensorView> outputs);

}  // namespace sinter::runtime
