// What schedules of every backend ask of a kernel.
#pragma once

#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

/// Reduce, contract or scan.
bool is_fold(const ir::KernelNode& node);
/// The axes that it folds, or walks (scan), sorted.
std::vector<ir::AxisId> folded_axes(const ir::KernelNode& fold);

/// Whether the axis is among them.
bool has_axis(const std::vector<ir::AxisId>& axes, ir::AxisId axis);

/// Whether the node is among them.
bool has_node(const std::vector<ir::NodeId>& nodes, ir::NodeId node);

/// `axes` in the order of the first of these loads and stores whose map names all of them alone, else as they
/// come.
std::vector<ir::AxisId> memory_order(const ir::Kernel& kernel,
                                     const std::vector<ir::NodeId>& accesses,
                                     const std::vector<ir::AxisId>& axes);

/// The tensor (or host scalar) of a load or store.
const ir::KernelParam& tensor_of(const ir::Kernel& kernel, const ir::KernelNode& access);

/// Operands of a node and the values in its maps.
std::vector<ir::Value> uses_of(const ir::KernelNode& node);
/// `targets` and all that they use, directly or through others, in the kernel's order. What only
/// nodes in `stops` use is left out.
std::vector<ir::NodeId> needed_nodes(const ir::Kernel& kernel,
                                     const std::vector<ir::NodeId>& targets,
                                     const std::vector<ir::NodeId>& stops = {});

/// Number of elements of the axes, and position within them, the last fastest.
ir::IndexExpr extent_of(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes);
ir::IndexExpr flat_index(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes);

}  // namespace sinter::codegen
