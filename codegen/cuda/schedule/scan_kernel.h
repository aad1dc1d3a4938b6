// A kernel with one scan, as the schedule scan sees it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/config.h"
#include "codegen/cuda/line_access.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

struct ScanKernel {
  ir::NodeId scan = 0;
  ir::AxisId axis = 0;           // that it runs along
  std::vector<ir::AxisId> kept;  // the others as they lie in memory, the last fastest
  bool is_columns = false;       // `axis` is not the fastest
  std::vector<ir::AxisId> line;  // along which vectors lie: `axis`, or the last of `kept`
  bool is_reverse = false;
  std::vector<ir::NodeId> live;      // in order
  std::vector<ir::NodeId> accesses;  // live loads and stores

  /// Whether the node varies along the scan's axis or along vectors.
  bool is_varying(const ir::Kernel& kernel, ir::NodeId id) const;
  /// `kept` without `line`.
  std::vector<ir::AxisId> outer() const;
};

/// Nullopt, with the reason in `why_not`, for other kernels.
std::optional<ScanKernel> match_scan(const ir::Kernel& kernel, std::string& why_not);

/// A config, spelled out.
struct ScanConfig {
  std::int64_t threads = 0;  // of a block
  /// Rows: threads that share one, up to 32 or the block. Columns: threads side by side; less than the block
  /// share out the axis.
  std::int64_t team = 0;
  std::int64_t items = 1;  // runs that a thread has at once
  std::int64_t run =
      1;  // elements side by side, of a thread; those of a vector where there are vectors
  bool is_once = false;     // rows: all of the row is there at once
  std::int64_t blocks = 0;  // share out the parts of all rows or columns; 0: each has its own
  LineVectors vectors;

  bool is_shifted() const { return vectors.shared_start.has_value(); }
  /// Runs may be incomplete.
  bool is_ragged() const { return is_shifted() || run > vectors.length; }
};

/// What is computed along the axis: ahead of the scan, and in the pass that stores (with the scan itself). What
/// the first leaves in registers for the second is `kept`: operands of the scan, unless they are loaded vectors
/// or such widened.
struct ScanPasses {
  std::vector<ir::NodeId> first, second;
  std::vector<ir::NodeId> kept;
};
/// `is_single`: the second alone.
ScanPasses plan_scan_passes(const ir::Kernel& kernel, const ScanKernel& scan,
                            const LineVectors& vectors, bool is_single);

}  // namespace sinter::codegen::cuda
