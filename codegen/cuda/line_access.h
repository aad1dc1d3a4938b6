// How loads and stores move along a line: axes walked as one flat index, the last fastest. What moves by
// one element a step can be moved in vectors.
#pragma once

#include <optional>
#include <span>
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

/// Offset of the line's first element in a contiguous tensor that it walks by one element a step; nullopt
/// where it does not.
std::optional<ir::IndexExpr> line_start(const ir::Kernel& kernel, const ir::KernelNode& access,
                                        const std::vector<ir::AxisId>& line);

/// For a contiguous tensor.
LineStep line_step(const ir::Kernel& kernel, const ir::KernelNode& access,
                   const std::vector<ir::AxisId>& line);

/// The access that touches most axes: its order in memory is that of the axes.
ir::NodeId widest_access(const ir::Kernel& kernel, const std::vector<ir::NodeId>& accesses);
/// The longest last part of `axes` along which no access is irregular and the widest moves in order; empty
/// where there is none.
std::vector<ir::AxisId> longest_line(const ir::Kernel& kernel,
                                     const std::vector<ir::NodeId>& accesses,
                                     const std::vector<ir::AxisId>& axes);

/// How the accesses along lines are vectors.
struct LineVectors {
  std::int64_t length = 1;  // elements of a vector; 1: there are none
  /// Lines begin anywhere: a vector lies at multiples of its length in the tensor, and its first or last
  /// elements may be outside of the line. All lines of such accesses begin at this offset (line_start).
  std::optional<ir::IndexExpr> shared_start;
  friend bool operator==(const LineVectors&, const LineVectors&) = default;
};

/// Vectors of 16 bytes of the narrowest type, at most 8 elements, for unit-step accesses; `length` 1 where
/// there are none.
LineVectors aligned_vectors(const ir::Kernel& kernel, const std::vector<ir::NodeId>& accesses,
                            const std::vector<ir::AxisId>& line);
/// The same for lines that begin anywhere, if they have one axis: of the accesses that begin where the last
/// store along the line (or the last load, where there is none) does.
LineVectors shifted_vectors(const ir::Kernel& kernel, const std::vector<ir::NodeId>& accesses,
                            const std::vector<ir::AxisId>& line);

/// Whether a load or store is one of vectors.
bool is_vector_access(const ir::Kernel& kernel, ir::NodeId access,
                      const std::vector<ir::AxisId>& line, const LineVectors& vectors);

/// Facts under which those accesses can be such vectors; nullopt where a number says that they cannot.
std::optional<ir::Facts> vector_facts(const ir::Kernel& kernel,
                                      const std::vector<ir::NodeId>& accesses,
                                      const std::vector<ir::AxisId>& line,
                                      const LineVectors& vectors);

/// The first of `ways` whose vector_facts all hold; single elements where none's do.
LineVectors allowed_vectors(const ir::Kernel& kernel, const std::vector<ir::NodeId>& accesses,
                            const std::vector<ir::AxisId>& line, std::span<const LineVectors> ways,
                            const ir::Facts& facts);

}  // namespace sinter::codegen::cuda
