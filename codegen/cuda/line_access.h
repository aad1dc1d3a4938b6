// How loads and stores move along a line: axes walked as one flat index, the last fastest. What moves by
// one element a step can be moved in vectors.
#pragma once

#include <optional>
#include <vector>

#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

enum class LineStep {
  Invariant,  // one element serves the line
  Unit,       // neighbours in a contiguous tensor, beginning at a multiple of the line's length
  Irregular,
};

/// Offset in elements of a load or store within a contiguous tensor.
ir::IndexExpr dense_offset(const ir::Kernel& kernel, const ir::KernelNode& access);

/// For a contiguous tensor.
LineStep line_step(const ir::Kernel& kernel, const ir::KernelNode& access,
                   const std::vector<ir::AxisId>& line);

/// Elements of a vector access for these unit-step accesses: 16 bytes of the narrowest type, at most 8;
/// 1 where there is none.
std::int64_t line_vector(const ir::Kernel& kernel, const std::vector<ir::NodeId>& accesses,
                         const std::vector<ir::AxisId>& line);

/// Facts under which those accesses can be vectors of `vector` elements; nullopt where a number says that
/// they cannot.
std::optional<ir::Facts> vector_facts(const ir::Kernel& kernel,
                                      const std::vector<ir::NodeId>& accesses,
                                      const std::vector<ir::AxisId>& line, std::int64_t vector);

}  // namespace sinter::codegen::cuda
