// Reductions of a whole tensor, of columns, and of rows that are fewer than the device's multiprocessors, with
// anything pointwise before and behind them, in one launch. What is reduced is split among blocks; each leaves
// its sums in a workspace, and the last one to arrive (a counter tells) adds them up in the order of their
// numbers and finishes: the same order whatever block is last.
//
// Columns (the fastest axis of what is read is kept): a lane has a vector of them, the warps of a block
// share out its steps. Rows (it is reduced): a block walks its part of one row.
//
//   config   splits: blocks that share one result; threads: a block; vector: elements; columns: 1 or 0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/cuda/line_access.h"
#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

/// A kernel whose reductions all run over the same axes and need none of each other's results.
struct SplitReduce {
  std::vector<ir::AxisId> reduced;  // as they lie in memory, the last fastest
  std::vector<ir::AxisId> kept;     // likewise
  /// Those along which vectors lie: the last of `kept` (columns) or all of `reduced`.
  std::vector<ir::AxisId> line;
  bool is_columns = false;
  std::vector<ir::NodeId> folds;
  std::vector<ir::NodeId> before, behind;  // live nodes in order, without the folds; some are both
  std::vector<ir::NodeId> loads;           // of `before`
};

/// Nullopt, with the reason in `why_not`, for other kernels.
std::optional<SplitReduce> match_split_reduce(const ir::Kernel& kernel, std::string& why_not);

Program emit_split_reduce(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                          const Target& target);

extern const Schedule kSplitReduceSchedule;

}  // namespace sinter::codegen::cuda
