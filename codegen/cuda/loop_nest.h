// How a kernel with at most one fold (reduce, contract or scan) becomes one loop nest: which axes
// threads share out, which axes a thread walks, and where each node stands. Used by schedules that
// keep a whole fold in one thread, warp or block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/kernel_queries.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

enum class Segment {
  Dead,    // no store needs it
  Before,  // ahead of the loops over the folded axes, because those need it
  Loop,    // inside
  After,   // behind; everything, where there is no fold
};

struct LoopNest {
  std::optional<ir::NodeId> fold;
  bool is_scan = false;
  /// Shared out among threads, outermost first: in the order of the first store's map, so that
  /// neighbouring threads write neighbouring elements.
  std::vector<ir::AxisId> parallel;
  /// Walked in ascending order, outermost first; empty without a fold.
  std::vector<ir::AxisId> loops;
  /// By node.
  std::vector<Segment> segments;
  /// By node: how many of `loops` its place stands inside.
  std::vector<std::size_t> depths;
};

/// Why the kernel is no such nest, in words for users; nullopt where it is.
std::optional<std::string> refuse_loop_nest(const ir::Kernel& kernel);
/// For kernels that refuse_loop_nest accepts.
LoopNest make_loop_nest(const ir::Kernel& kernel);

/// Axes of `domain` that are not in `axes`, in order.
std::vector<ir::AxisId> axes_without(const std::vector<ir::AxisId>& domain,
                                     const std::vector<ir::AxisId>& axes);

}  // namespace sinter::codegen::cuda
