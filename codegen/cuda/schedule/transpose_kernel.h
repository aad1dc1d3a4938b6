// A kernel without folds seen as tiles: the two lines of axes that a tile spans, and how each load and store
// moves through it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

enum class TileAccess {
  Along,   // dense along line a: straight from memory to registers, or back
  Across,  // dense along line b: through shared memory
  Single,  // anything else: by elements, as the kernel has it
};

struct TransposeKernel {
  std::vector<ir::AxisId> line_a;    // the fastest axes of the stores, the last fastest
  std::vector<ir::AxisId> line_b;    // those of what is read (or stored) in another order
  std::vector<ir::AxisId> rows;      // the other axes: tiles repeat along them
  std::vector<ir::NodeId> live;      // in order
  std::vector<ir::NodeId> accesses;  // live loads and stores
  std::vector<TileAccess> kinds;     // by node

  /// The accesses of one kind.
  std::vector<ir::NodeId> of_kind(ir::Op op, TileAccess kind, const ir::Kernel& kernel) const;
};

/// Nullopt, with the reason in `why_not`, where the kernel folds, stores over different axes or moves
/// everything along one line. Lines are as long as contiguous tensors allow.
std::optional<TransposeKernel> match_transpose(const ir::Kernel& kernel, std::string& why_not);

/// The same with lines of one axis unless `facts` say that all that moves in tiles is contiguous: what several
/// axes of a line have in common, a constant step, is a fact of dense tensors.
TransposeKernel match_transpose(const ir::Kernel& kernel, const ir::Facts& facts);

}  // namespace sinter::codegen::cuda
