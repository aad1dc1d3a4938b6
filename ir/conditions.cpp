// Conditions of each kind of node, and their check.
#include "ir/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ir/infer_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

bool is_same(const Condition& a, const Condition& b) {
  return a.kind == b.kind && a.left == b.left && a.right == b.right && a.count == b.count;
}

bool is_shown(const Condition& condition) {
  if (is_provably_nonnegative(IndexExpr(0) - condition.count, {})) return true;
  if (condition.kind == ConditionKind::Equal) return condition.left == condition.right;
  return is_provably_nonnegative(condition.right - condition.left, {});
}

class ConditionCollector {
 public:
  explicit ConditionCollector(const Graph& graph) : graph_(graph) {}

  std::vector<Condition> run() {
    for (id_ = 0; id_ < graph_.nodes().size(); ++id_) add_node(graph_.node(id_));
    return std::move(conditions_);
  }

 private:
  void add_node(const Node& node) {
    if (node.op == Op::Broadcast) add_broadcast(graph_.type(node.operands[0]).shape, shape(node));
    if (node.op == Op::Reshape) {
      add_equal(element_count(graph_.type(node.operands[0]).shape), element_count(shape(node)));
    }
    if (node.op == Op::Slice) add_slice(node);
    if (!is_view(node.op) && node.op != Op::Iota && node.op != Op::Pad) return;
    for (const Dim& dim : shape(node)) add_at_most(0, dim);
  }

  void add_broadcast(const Shape& from, const Shape& to) {
    const std::size_t offset = to.size() - from.size();
    for (std::size_t d = 0; d < from.size(); ++d) {
      if (from[d] != Dim(1)) add_equal(from[d], to[offset + d]);
    }
  }

  /// Elements begin, begin + step, ...: the lowest is at least 0, the highest below the extent.
  void add_slice(const Node& node) {
    const auto& begin = node.attributes.get<Shape>(AttributeName::Begin);
    const auto& step = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Step);
    for (std::size_t d = 0; d < begin.size(); ++d) {
      const Dim& count = shape(node)[d];
      const Dim& extent = graph_.type(node.operands[0]).shape[d];
      const Dim last = begin[d] + (count - 1) * step[d];
      const Dim end = (step[d] > 0 ? last : begin[d]) + 1;
      // Read without elements, it says begin <= extent: where that is shown, the count is no matter.
      const bool holds_for_none = step[d] == 1 && is_provably_nonnegative(extent - begin[d], {});
      add_at_most(0, step[d] > 0 ? begin[d] : last, count);
      add_at_most(end, extent, holds_for_none ? Dim(1) : count);
    }
  }

  void add_equal(const IndexExpr& left, const IndexExpr& right) {
    add({ConditionKind::Equal, left, right, 1, id_});
  }

  /// Written without minus signs: 0 <= n - 3 is 3 <= n.
  void add_at_most(const IndexExpr& left, const IndexExpr& right, const IndexExpr& count = 1) {
    Condition condition{ConditionKind::AtMost, 0, 0, count, id_};
    const IndexExpr difference = right - left;
    for (const Term& term : difference.terms()) {
      IndexExpr& side = term.coefficient < 0 ? condition.left : condition.right;
      const IndexExpr value = IndexExpr::from_terms({term});
      side = term.coefficient < 0 ? side - value : side + value;
    }
    if (is_provably_positive(count, {})) condition.count = 1;
    add(std::move(condition));
  }

  void add(Condition condition) {
    if (is_shown(condition)) return;
    const bool is_known =
        std::any_of(conditions_.begin(), conditions_.end(),
                    [&](const Condition& other) { return is_same(other, condition); });
    if (!is_known) conditions_.push_back(std::move(condition));
  }

  static const Shape& shape(const Node& node) { return node.results[0].shape; }

  const Graph& graph_;
  NodeId id_ = 0;
  std::vector<Condition> conditions_;
};

bool holds(const Condition& condition, const IndexBindings& bindings) {
  if (evaluate(condition.count, bindings) <= 0) return true;
  const std::int64_t left = evaluate(condition.left, bindings);
  const std::int64_t right = evaluate(condition.right, bindings);
  return condition.kind == ConditionKind::Equal ? left == right : left <= right;
}

/// "n = 3, 2*m = 8": what is no number, with its value.
std::string describe_values(const Condition& condition, const IndexBindings& bindings) {
  std::vector<std::string> values;
  for (const IndexExpr& expr : {condition.left, condition.right}) {
    if (expr.is_constant()) continue;
    values.push_back(fmt::format("{} = {}", to_string(expr), evaluate(expr, bindings)));
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

/// The operator that the user wrote: a broadcast that stands where its reader does was written by
/// the language.
Op written_operator(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.op != Op::Broadcast || node.location.line == 0) return node.op;
  for (NodeId reader = id + 1; reader < graph.nodes().size(); ++reader) {
    const Node& other = graph.node(reader);
    const bool reads = std::find(other.operands.begin(), other.operands.end(), Value{id, 0}) !=
                       other.operands.end();
    const bool is_there =
        other.location.line == node.location.line && other.location.file == node.location.file;
    if (reads && is_there) return other.op;
  }
  return node.op;
}

}  // namespace

std::string to_string(const Condition& condition) {
  const char* relation = condition.kind == ConditionKind::Equal ? "=" : "<=";
  std::string text =
      fmt::format("{} {} {}", to_string(condition.left), relation, to_string(condition.right));
  if (!condition.count.is_constant()) {
    text += fmt::format(" where {} > 0", to_string(condition.count));
  }
  return text;
}

std::vector<Condition> conditions_of(const Graph& graph) { return ConditionCollector(graph).run(); }

void check_conditions(const Graph& graph, std::span<const Condition> conditions,
                      const std::map<std::string, std::int64_t>& sizes) {
  if (conditions.empty()) return;
  const IndexBindings bindings{.sizes = sizes, .axis = {}, .value = {}};
  for (const Condition& condition : conditions) {
    if (holds(condition, bindings)) continue;
    support::throw_user_at(graph.node(condition.node).location, "{}: {} needs {}; given {}",
                           graph.name(), to_string(written_operator(graph, condition.node)),
                           to_string(condition), describe_values(condition, bindings));
  }
}

void check_sizes_are_known(const Graph& graph) {
  std::set<std::string> known;
  for (const NodeId id : graph.parameters()) {
    for (const Dim& dim : graph.type({id, 0}).shape) known.merge(sizes_of(dim));
  }
  for (const Node& node : graph.nodes()) {
    for (const Attribute& attribute : node.attributes.list()) {
      const auto* shape = std::get_if<Shape>(&attribute.value);
      if (shape == nullptr) continue;
      for (const Dim& dim : *shape) {
        for (const std::string& name : sizes_of(dim)) {
          if (known.contains(name)) continue;
          support::throw_user_at(node.location,
                                 "{}: {} mentions the size '{}', which is in no parameter's shape",
                                 graph.name(), to_string(node.op), name);
        }
      }
    }
  }
}

}  // namespace sinter::ir
