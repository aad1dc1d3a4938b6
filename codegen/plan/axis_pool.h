// The axes of a kernel while it is lowered: readable names, and reuse of axes of equal extent.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/kernel.h"

namespace sinter::codegen {

class AxisPool {
 public:
  /// Names avoid every size symbol of `graph`, because texts tell the two apart by name only.
  AxisPool(const ir::Graph& graph, ir::Kernel& kernel);

  /// Axes made later are not named so.
  void reserve(const std::string& name) { reserved_.insert(name); }
  ir::AxisId make_axis(const ir::Dim& extent);
  /// Axes of that extent that are not in `taken`, in order of creation.
  std::vector<ir::AxisId> axes_of_extent(const ir::Dim& extent,
                                         const std::set<ir::AxisId>& taken) const;
  /// Axes for the dimensions of a stored value: existing ones of equal extent in their order, then
  /// new ones. A dimension that is the number 1 has index 0 and no axis.
  ir::Shape make_output_indices(const ir::Shape& shape);

 private:
  ir::Kernel& kernel_;
  std::set<std::string> reserved_;
};

}  // namespace sinter::codegen
