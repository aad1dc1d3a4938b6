// A graph grows node by node: the required uses, then steps that draw an operator and an operand that
// is already there, and fit further operands to it. What the type rules refuse is not added.
#include "tests/support/random_graph.h"

#include <algorithm>
#include <array>
#include <set>

#include "ir/conditions.h"
#include "ir/define/composite.h"
#include "ir/text.h"
#include "support/check.h"
#include "tests/support/graph_grower.h"
#include "tests/support/random_operator.h"
#include "tests/support/required_use.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Dim;
using ir::Op;
using ir::OpClass;
using ir::OpInfo;
using ir::Shape;
using ir::Type;
using ir::Value;

namespace {

/// Classes first, so that many rows of one class do not crowd out the others.
const OpInfo& draw_op(GraphGrower& grower) {
  constexpr std::array kClasses = {
      OpClass::Unary,  OpClass::Unary,     OpClass::Binary,     OpClass::Binary,
      OpClass::Binary, OpClass::Compare,   OpClass::Ternary,    OpClass::Cast,
      OpClass::View,   OpClass::View,      OpClass::Reduction,  OpClass::Reduction,
      OpClass::Scan,   OpClass::Composite, OpClass::Composite,  OpClass::Composite,
      OpClass::Leaf,   OpClass::Movement,  OpClass::Contraction};
  for (;;) {
    const OpClass op_class = grower.random().pick(kClasses);
    std::vector<const OpInfo*> rows;
    for (const OpInfo& row : ir::all_ops()) {
      if (row.op_class == op_class && row.level != ir::OpLevel::Kernel) rows.push_back(&row);
    }
    if (op_class == OpClass::Scan && !grower.options().scans) continue;
    if (!rows.empty()) return *grower.random().pick(rows);
  }
}

std::optional<Value> grow_step(GraphGrower& grower) {
  Random& random = grower.random();
  const OpInfo& row = draw_op(grower);
  if (row.op_class == OpClass::Leaf) {
    const DType dtype = random.chance(0.5) ? DType::I64 : DType::I32;
    return grow_leaf(grower, random.chance(0.8) ? Op::Iota : Op::Size, dtype);
  }
  const auto operand =
      grower.find_value([&](const Type& type) { return ir::accepts_dtype(row.op, type.dtype); });
  return operand ? grow_operator(grower, row.op, *operand) : std::nullopt;
}

std::set<Value> used_values(const ir::Graph& graph) {
  std::set<Value> used;
  for (const ir::Node& node : graph.nodes())
    used.insert(node.operands.begin(), node.operands.end());
  return used;
}

/// Two results of one shape that nothing uses yet, taken together; nullopt where there are none.
std::optional<Value> grow_join(GraphGrower& grower, const std::vector<Value>& made) {
  const std::set<Value> used = used_values(grower.graph());
  for (const Value a : made) {
    for (const Value b : made) {
      const Type left = grower.graph().type(a);
      const Type right = grower.graph().type(b);
      if (a == b || used.contains(a) || used.contains(b) || left.shape != right.shape) continue;
      if (left.dtype == DType::Bool) continue;
      const auto other =
          left == right ? b : grower.add(Op::Cast, {b}, {{AttributeName::DType, left.dtype}});
      const Op op = grower.random().pick(std::array{Op::Add, Op::Mul, Op::Maximum, Op::Sub});
      return other ? grower.add(op, {a, *other}, {}) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Every result of `made` that no node uses, so that nothing is computed in vain, and up to two others.
std::vector<Value> choose_outputs(GraphGrower& grower, const std::vector<Value>& made) {
  const ir::Graph& graph = grower.graph();
  const std::set<Value> used = used_values(graph);
  std::vector<Value> outputs;
  for (const Value first : made) {
    for (std::uint32_t r = 0; r < graph.node(first).results.size(); ++r) {
      if (!used.contains({first.node, r})) outputs.push_back({first.node, r});
    }
  }
  const std::int64_t more = grower.random().chance(0.5) ? 0 : grower.random().between(1, 2);
  for (std::int64_t i = 0; i < more; ++i) {
    const Value value = grower.random().pick(grower.values());
    const bool is_parameter = graph.node(value).op == Op::Parameter;
    const bool is_new = std::find(outputs.begin(), outputs.end(), value) == outputs.end();
    if (is_new && !is_parameter) outputs.push_back(value);
  }
  return outputs;
}

/// Nullopt where a required use found no operands.
std::optional<RandomGraph> draw_graph(std::uint64_t state, std::uint64_t seed,
                                      const RandomGraphOptions& options) {
  GraphGrower grower(state, options);
  RandomGraph random;
  std::vector<Value> made;
  for (const RequiredUse& use : options.required) {
    const auto value = grow_required(grower, use, random.layouts);
    if (!value) return std::nullopt;
    made.push_back(*value);
  }
  const std::int64_t parameters = grower.random().between(options.required.empty() ? 1 : 0, 3);
  for (std::int64_t p = 0; p < parameters; ++p) {
    grower.add_parameter({grower.draw_dtype(), grower.draw_shape()});
  }
  const std::int64_t least = options.required.empty() ? 1 : 0;
  const std::size_t wanted =
      made.size() + static_cast<std::size_t>(grower.random().between(least, options.most_nodes));
  // Steps that the type rules refuse don't count; the limit only guards against a dead end.
  for (int attempt = 0; made.size() < wanted && attempt < 200; ++attempt) {
    if (const auto value = grow_step(grower)) made.push_back(*value);
  }
  if (const auto joined = grow_join(grower, made)) made.push_back(*joined);
  grower.graph().set_outputs(choose_outputs(grower, made));
  random.seed = seed;
  random.graph = std::move(grower.graph());
  random.sizes = grower.sizes();
  return random;
}

/// Names that no parameter binds could not be known at a call: such graphs are drawn again.
bool binds_all_sizes(const RandomGraph& random) {
  std::set<std::string> bound;
  std::set<std::string> used;
  for (const ir::Node& node : random.graph.nodes()) {
    if (node.op == Op::Size) {
      used.merge(ir::sizes_of(node.attributes.get<Shape>(AttributeName::Shape)[0]));
    }
    for (const Type& type : node.results) {
      for (const Dim& dim : type.shape) {
        used.merge(ir::sizes_of(dim));
        if (node.op == Op::Parameter && dim.as_size()) bound.insert(*dim.as_size());
      }
    }
  }
  return std::includes(bound.begin(), bound.end(), used.begin(), used.end());
}

/// What a graph needs of its sizes beyond its types may not hold for the numbers that were drawn.
bool holds_conditions(const RandomGraph& random) {
  try {
    const ir::Graph graph = ir::decompose(random.graph);
    ir::check_conditions(graph, ir::conditions_of(graph), random.sizes);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

RandomGraph make_random_graph(std::uint64_t seed, const RandomGraphOptions& options) {
  for (std::uint64_t attempt = 0; attempt < 1000; ++attempt) {
    // Attempts of neighbouring seeds draw from different sequences.
    std::optional<RandomGraph> random;
    try {
      random = draw_graph(seed + (attempt << 32), seed, options);
    } catch (const UserError&) {
      continue;  // an extent came out below 0
    }
    if (!random || !binds_all_sizes(*random) || !holds_conditions(*random)) continue;
    random->graph.set_name(fmt::format("random_{}", seed));
    return *random;
  }
  support::throw_internal("no random graph of seed {} fits what is required", seed);
}

std::string describe(const RandomGraph& random) {
  std::string sizes;
  for (const auto& [name, size] : random.sizes) sizes += fmt::format(" {} = {}", name, size);
  return fmt::format("seed {},{}\n{}", random.seed, sizes, ir::to_string(random.graph));
}

}  // namespace sinter::tests
