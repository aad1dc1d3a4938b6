// Copying nodes from one Kernel to another: what passes over Kernels are made of.
#pragma once

#include <functional>

#include "ir/kernel.h"

namespace sinter::ir {

/// The name, in the new Kernel, of a value of the old one.
using Renaming = std::function<Value(Value)>;

/// The same attributes with the values inside index maps renamed.
Attributes rename_attributes(const Attributes& attributes, const Renaming& renaming);

/// Appends `node` to `kernel`; returns its first result. Axes and params must be the same in both.
Value copy_node(Kernel& kernel, const KernelNode& node, const Renaming& renaming);

/// A Kernel with the name, mode, axes and params of `kernel`, and no nodes.
Kernel copy_frame(const Kernel& kernel);

}  // namespace sinter::ir
