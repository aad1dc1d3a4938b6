// Conditions: what a Graph needs of its sizes that nobody can decide before a call. Only nodes with
// attribute shape have them (other operators need operands of equal shape, so the language writes a
// broadcast where two dimensions may turn out equal), and they follow from the nodes: they are no
// part of the text form, of equality or of keys.
//
//   node        condition, where it is not shown to hold for all sizes
//   broadcast   each dimension that is not the number 1 equals that of the result
//   reshape     the numbers of elements are equal
//   slice       first and last element lie inside, unless there is none
//   all, iota,
//   pad         no dimension of the result is negative
//
// What is shown to fail is refused by infer_types.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

enum class ConditionKind : std::uint8_t { Equal, AtMost };

/// left = right, or left <= right.
struct Condition {
  ConditionKind kind = ConditionKind::Equal;
  IndexExpr left;
  IndexExpr right;
  IndexExpr count = 1;  // it has to hold only where this is above 0
  NodeId node = 0;      // the first one that needs it
};
/// "n = m", "64 <= n", "0 <= n - 3 where k > 0".
std::string to_string(const Condition& condition);

/// In the order of the nodes, each once. Nodes that no output needs count too.
std::vector<Condition> conditions_of(const Graph& graph);

/// UserError at the user's expression where a condition of `graph` does not hold for these sizes:
/// names graph, operator, both expressions and their values.
void check_conditions(const Graph& graph, std::span<const Condition> conditions,
                      const std::map<std::string, std::int64_t>& sizes);

/// UserError at the first node whose shape mentions a size that no parameter's shape mentions.
void check_sizes_are_known(const Graph& graph);

}  // namespace sinter::ir
