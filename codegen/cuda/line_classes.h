// The classes of kernels that move along a line (line_access.h): how their accesses are vectors, and whether
// indices fit 32 bits.
#pragma once

#include <functional>
#include <vector>

#include "codegen/cuda/line_access.h"

namespace sinter::codegen::cuda {

/// The ways of moving lines in vectors, best first; the last is one element at a time. `may_shift`: also lines
/// that begin anywhere.
std::vector<LineVectors> vector_ways(const ir::Kernel& kernel,
                                     const std::vector<ir::NodeId>& accesses,
                                     const std::vector<ir::AxisId>& line, bool may_shift);

using AddClass = std::function<void(ir::Facts)>;
/// Adds the narrower classes of one whose vectors have this length.
using AddBounds =
    std::function<void(const ir::Facts& facts, std::int64_t vector, const AddClass& add)>;

/// Facts of vector accesses, with or without 32-bit indices, the former with the bounds that `add_bounds`
/// adds; the last class is empty.
std::vector<ir::Facts> line_classes(const ir::Kernel& kernel,
                                    const std::vector<ir::NodeId>& accesses,
                                    const std::vector<ir::AxisId>& line, bool may_shift,
                                    const AddBounds& add_bounds);

}  // namespace sinter::codegen::cuda
