// What a graph needs of the sizes of a call, beyond what the shapes of its inputs say: inference
// decides what holds for all sizes, and leaves the rest to the call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::runtime {

class SizeChecks {
 public:
  /// Collects the nodes of `graph` that some sizes would make meaningless.
  explicit SizeChecks(const ir::Graph& graph);

  /// UserError at the user's line where a dimension is negative, or a slice leaves its operand (a
  /// kernel would read memory that is not the tensor's). `graph` as given to the constructor.
  void check(const ir::Graph& graph, const std::map<std::string, std::int64_t>& sizes) const;

 private:
  std::vector<ir::Value> shapes_;   // with a dimension that may be negative
  std::vector<ir::NodeId> slices_;  // with a size symbol
};

}  // namespace sinter::runtime
