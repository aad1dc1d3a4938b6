// Names of values: one result of one node, in a Graph or a Kernel.
#pragma once

#include <compare>
#include <cstdint>

namespace sinter::ir {

using NodeId = std::uint32_t;
/// Index of an axis in its Kernel.
using AxisId = std::uint32_t;

/// Result number `result` of node `node`.
struct Value {
  NodeId node = 0;
  std::uint32_t result = 0;
  friend auto operator<=>(const Value&, const Value&) = default;
};

}  // namespace sinter::ir
