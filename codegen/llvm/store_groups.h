// The loop nests of a kernel: stores of one domain share one.
#pragma once

#include <optional>
#include <vector>

#include "codegen/target.h"
#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

struct StoreGroup {
  std::vector<ir::NodeId> stores;
  std::vector<ir::AxisId> domain;  // of all of its stores
  std::vector<ir::NodeId> needed;  // nodes that they need, themselves included
  std::vector<ir::NodeId> folds;   // reduces, contracts and scans among these
};
/// In the order of the first stores.
std::vector<StoreGroup> store_groups(const ir::Kernel& kernel);

/// How one group runs. `parallel` axes are spread over items of work (the lane axis in blocks),
/// `inner` axes are loops within an item, the scan's axis the innermost of all.
///
/// With a tile axis (parallel, or the scan's) nothing is gathered: what is strided along the lane axis is dense
/// along the tile axis, and moves as squares that are transposed in registers.
struct NestPlan {
  StoreGroup group;
  std::vector<ir::AxisId> parallel;
  std::vector<ir::AxisId> inner;
  std::optional<ir::AxisId> lane_axis;  // one of the two
  std::optional<ir::NodeId> scan;
  std::int64_t block = 0;     // elements of the lane axis in one item, where it is parallel
  bool blocks_first = false;  // neighbouring items share a block instead of the other axes
  bool has_gathers = false;   // an access moves lane by lane
  /// The group's only fold, whose results are wide rows of lanes: it is walked in blocks of its outermost axis,
  /// its accumulators waiting in memory, so that the rows of one block are read side by side.
  std::optional<ir::NodeId> column_fold;
  std::optional<ir::AxisId> tile_axis;
  std::vector<ir::NodeId> tiled;  // accesses that are transposed
};
/// Axes that hold every reduced value are parallel, the rest is inner.
NestPlan plan_nest(const ir::Kernel& kernel, const ir::Facts& facts, const StoreGroup& group,
                   std::int64_t block);

/// Work of one item in innermost iterations, unknown sizes counted as 1024.
std::int64_t item_work(const ir::Kernel& kernel, const NestPlan& plan);

/// Rows of a block of a column fold.
inline constexpr std::int64_t kColumnRows = 8;

/// Elements of the tile axis in one item, where it is parallel.
inline constexpr std::int64_t kTileBlock = 256;

/// Lanes of a vector register for the widest type that the kernel computes in.
int native_lanes(const ir::Kernel& kernel, const Target& target);

}  // namespace sinter::codegen::llvm
