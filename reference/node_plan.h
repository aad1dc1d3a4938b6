// What a node's evaluation needs to know of sizes, worked out once per node.
#pragma once

#include <vector>

#include "reference/index_map.h"

namespace sinter::reference {

struct NodePlan {
  /// One per result; empty plan (no results) where no output needs the node.
  std::vector<Extents> extents;
  /// Whether the result is an output of the graph.
  std::vector<bool> is_output;
  /// Pointwise and views: from the result to each operand.
  std::vector<IndexMap> operands;
  /// Reductions, contractions; for a scan, its one axis.
  FoldDomain domain;
  /// Iota: elements between two steps of its axis, and the axis' extent.
  std::int64_t axis_stride = 1;
  std::int64_t axis_extent = 1;
  /// Size: its value.
  std::int64_t size = 0;
  /// Pad: elements before the operand in each dimension.
  Extents begin;
  /// Number of the last node that reads it, or of the node itself.
  ir::NodeId last_use = 0;

  bool is_needed() const { return !extents.empty(); }
};

/// What is known of narrow floats at a node, whatever the sizes.
struct NarrowForm {
  /// It passes on the bits of operands that are rounded already (or gives bits: bitcast).
  bool moves_bits = false;
  /// Its consumers see rounded values.
  bool is_rounded = false;
  /// Whatever its type: on every way to an output a value made from it is rounded to a narrow float.
  bool is_rounded_later = false;
};
std::vector<NarrowForm> find_narrow_forms(const ir::Graph& graph, bool round_each);

/// One plan per node of `graph`; nodes that `outputs` (values) do not need stay empty. UserError
/// where the sizes do not fit a node.
std::vector<NodePlan> plan_nodes(const ir::Graph& graph, const ir::Sizes& sizes,
                                 const std::vector<ir::Value>& outputs);

}  // namespace sinter::reference
