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

/// What each pass computes along the row.
struct RowPasses {
  std::vector<std::vector<ir::NodeId>> nodes;  // by pass, in order; folds are not among them
  std::vector<bool> kept;  // by node: a later pass uses it without computing it again
  /// Bytes of registers that one element takes between two passes, at most.
  std::int64_t most_kept_bytes = 0;
};

/// `keeps`: what one pass has loaded or computed is there for the later ones, but for what is soon made again
/// from loads that take less room.
RowPasses plan_row_passes(const ir::Kernel& kernel, const RowKernel& rows, bool keeps);

/// Nullopt, with the reason in `why_not`, where the kernel is no chain of reductions over the same axes.
std::optional<RowKernel> match_rows(const ir::Kernel& kernel, std::string& why_not);
/// A kernel without folds, with the longest line along which it moves in order.
std::optional<RowKernel> match_pointwise(const ir::Kernel& kernel, std::string& why_not);

}  // namespace sinter::codegen::cuda
