// A kernel seen as rows: which axes a row runs along, which pass over the row each node belongs to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen::cuda {

struct RowKernel {
  std::vector<ir::AxisId> rows;  // one row an index of these
  std::vector<ir::AxisId> line;  // along the row, the last fastest
  std::vector<ir::NodeId> live;  // in order
  std::vector<ir::NodeId> folds;
  /// By node: how many passes over the row must be complete before it can be computed. A fold belongs to
  /// the pass of that number.
  std::vector<std::size_t> passes;
  std::size_t pass_count = 1;        // the last one stores
  std::vector<ir::NodeId> accesses;  // live loads and stores

  /// Whether the node varies along the row.
  bool is_along(const ir::Kernel& kernel, ir::NodeId id) const;
};

/// Nullopt, with the reason in `why_not`, where the kernel is no chain of reductions over the same axes.
std::optional<RowKernel> match_rows(const ir::Kernel& kernel, std::string& why_not);
/// A kernel without folds, with the longest line along which it moves in order.
std::optional<RowKernel> match_pointwise(const ir::Kernel& kernel, std::string& why_not);

}  // namespace sinter::codegen::cuda
