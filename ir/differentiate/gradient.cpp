// The sweep: nodes from last to first, each handing the gradients of its results to its operands. A
// composite without a rule is replaced by its definition, appended and swept in its turn.
#include "ir/differentiate/gradient.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/broadcast.h"
#include "ir/define/composite.h"
#include "ir/differentiate/reverse.h"
#include "ir/rewrite_graph.h"
#include "support/check.h"

namespace sinter::ir {

#define SINTER_PRIMITIVE(Name, text, arity, op_class, level, dtypes, commutes, identity, combine, \
                         kind, meaning)                                                           \
  SINTER_RULE_##kind(Name)
#define SINTER_DERIVATIVE(Name, kind) SINTER_RULE_##kind(Name)
#define SINTER_RULE_None(Name)
#define SINTER_RULE_Zero(Name)
#define SINTER_RULE_Decomposed(Name)
#define SINTER_RULE_Rule(Name) \
  template <>                  \
  void derivative<Op::Name>(Reverse & r);
#include "ir/ops.def"
#undef SINTER_RULE_Rule
#undef SINTER_PRIMITIVE

namespace {

using Rule = void (*)(Reverse&);

Rule rule_of(Op op) {
  switch (op) {
#define SINTER_PRIMITIVE(Name, text, arity, op_class, level, dtypes, commutes, identity, combine, \
                         kind, meaning)                                                           \
  SINTER_RULE_##kind(Name)
#define SINTER_DERIVATIVE(Name, kind) SINTER_RULE_##kind(Name)
#define SINTER_RULE_Rule(Name) \
  case Op::Name:               \
    return &derivative<Op::Name>;
#include "ir/ops.def"
#undef SINTER_RULE_Rule
#undef SINTER_RULE_Decomposed
#undef SINTER_RULE_Zero
#undef SINTER_RULE_None
#undef SINTER_PRIMITIVE
    default: support::throw_internal("{} has no derivative", to_string(op));
  }
}

class Sweep {
 public:
  Sweep(Graph& graph, const std::vector<Value>& wrt) : graph_(graph), end_(end()) {
    for (const Value value : wrt) reached_.insert(value);
    mark(0, end_);
  }

  void seed(Value result, const Expr& gradient) { accumulate(result, gradient); }

  void run() { sweep(0, end_); }

  const Expr* gradient_of(Value value) const {
    const auto found = gradients_.find(value);
    return found == gradients_.end() ? nullptr : &found->second;
  }

 private:
  NodeId end() const { return static_cast<NodeId>(graph_.nodes().size()); }
  bool is_float_value(Value value) const { return is_float(graph_.type(value).dtype); }

  /// Floating values that depend on what is differentiated by, and others that hold bits of such.
  void mark(NodeId begin, NodeId end) {
    for (NodeId id = begin; id < end; ++id) {
      const Node& node = graph_.node(id);
      const Derivative kind = derivative_of(node.op);
      bool from_float = false;
      bool from_bits = false;
      for (const Value operand : node.operands) {
        if (reached_.contains(operand)) (is_float_value(operand) ? from_float : from_bits) = true;
      }
      for (std::uint32_t r = 0; r < node.results.size(); ++r) {
        const bool is_opaque = kind == Derivative::None;
        const bool flows =
            is_float(node.results[r].dtype)
                ? (from_float && kind != Derivative::Zero) || (from_bits && is_opaque)
                : from_bits || (from_float && is_opaque);
        if (flows) reached_.insert({id, r});
      }
    }
  }

  void sweep(NodeId begin, NodeId end) {
    for (NodeId id = end; id-- > begin;) visit(id);
  }

  void visit(NodeId id) {
    const Node& node = graph_.node(id);
    std::vector<std::optional<Expr>> arrived(node.results.size());
    bool has_any = false;
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      const auto found = gradients_.find({id, r});
      if (found == gradients_.end()) continue;
      arrived[r] = found->second;
      has_any = true;
    }
    std::vector<bool> needed;
    for (const Value operand : node.operands) {
      needed.push_back(is_float_value(operand) && reached_.contains(operand));
    }
    if (!has_any) return;
    const bool is_needed = std::find(needed.begin(), needed.end(), true) != needed.end();
    switch (derivative_of(node.op)) {
      case Derivative::Zero: return;
      case Derivative::None:
        if (!reached_.contains({id, 0})) return;
        Reverse(graph_, id, {}, {})
            .refuse(std::string(to_string(node.op)), "write it with operators that have one");
      case Derivative::Rule:
        if (is_needed) apply_rule(id, arrived, std::move(needed));
        return;
      case Derivative::Decomposed:
        if (is_needed) apply_definition(id, arrived, needed);
        return;
    }
  }

  void apply_rule(NodeId id, const std::vector<std::optional<Expr>>& arrived,
                  std::vector<bool> needed) {
    const std::vector<Value> operands = graph_.node(id).operands;
    Reverse reverse(graph_, id, arrived, std::move(needed));
    rule_of(reverse.op())(reverse);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (reverse.results()[i]) accumulate(operands[i], *reverse.results()[i]);
    }
    const std::vector<bool>& rest = reverse.by_definition();
    if (std::find(rest.begin(), rest.end(), true) != rest.end()) {
      apply_definition(id, arrived, rest);
    }
  }

  /// Through the definition to those operands that are wanted.
  void apply_definition(NodeId id, const std::vector<std::optional<Expr>>& arrived,
                        const std::vector<bool>& wanted) {
    const Node node = graph_.node(id);
    std::vector<Value> operands = node.operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (wanted[i] || !reached_.contains(operands[i])) continue;
      // Another name, which this sweep has not reached; later ones see through it.
      operands[i] =
          graph_.add(Op::Reshape, {operands[i]},
                     {{AttributeName::Shape, graph_.type(operands[i]).shape}}, node.location);
    }
    const NodeId begin = end();
    const std::vector<Value> results =
        expand_definition(graph_, node.op, operands, node.attributes, node.location);
    const NodeId last = end();
    mark(begin, last);
    for (std::size_t r = 0; r < results.size(); ++r) {
      if (arrived[r]) accumulate(results[r], *arrived[r]);
    }
    sweep(begin, last);
  }

  void accumulate(Value value, const Expr& gradient) {
    const auto [entry, is_first] = gradients_.try_emplace(value, gradient);
    if (!is_first) entry->second = entry->second + gradient;
  }

  Graph& graph_;
  NodeId end_;  // of what is differentiated; behind it stand gradients and definitions
  std::set<Value> reached_;
  std::map<Value, Expr> gradients_;
};

void check_floating(const Graph& graph, const std::vector<Value>& values, const char* role,
                    const SourceLocation& location) {
  for (const Value value : values) {
    if (is_float(graph.type(value).dtype)) continue;
    support::throw_user_at(location, "{} of type {}; only floating tensors have gradients", role,
                           to_string(graph.type(value)));
  }
}

std::vector<Value> floating_results(const Graph& graph) {
  std::vector<Value> results;
  for (const Value output : graph.outputs()) {
    if (is_float(graph.type(output).dtype)) results.push_back(output);
  }
  return results;
}

std::vector<Value> values_named(const Graph& graph, const std::vector<std::string>& names,
                                const SourceLocation& location) {
  std::vector<Value> values;
  std::vector<std::string> known;
  for (const NodeId id : graph.parameters()) {
    known.push_back(graph.parameter_name(id));
    const bool has_gradient = is_float(graph.type({id, 0}).dtype) && !graph.is_host_scalar(id);
    if (names.empty() && has_gradient) values.push_back({id, 0});
  }
  if (names.empty() && values.empty()) {
    support::throw_user_at(location, "{} has no floating parameter to differentiate by",
                           graph.name());
  }
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      support::throw_user_at(location, "{} has no parameter '{}' to differentiate by; it has {}",
                             graph.name(), name, fmt::join(known, ", "));
    }
    const NodeId id = graph.parameters()[static_cast<std::size_t>(found - known.begin())];
    if (graph.is_host_scalar(id)) {
      support::throw_user_at(
          location,
          "parameter {} of {} is a host scalar, which has no gradient; make it a "
          "tensor of rank 0",
          name, graph.name());
    }
    values.push_back({id, 0});
  }
  return values;
}

/// A name that no parameter has.
std::string cotangent_name(const Graph& graph, std::size_t result) {
  std::string name = fmt::format("grad_{}", result);
  const auto is_taken = [&](NodeId id) { return graph.parameter_name(id) == name; };
  while (std::any_of(graph.parameters().begin(), graph.parameters().end(), is_taken)) {
    name = "grad_" + name;
  }
  return name;
}

std::vector<Value> add_cotangents(Graph& graph, const std::vector<Value>& results,
                                  const SourceLocation& location) {
  if (results.size() == 1 && graph.type(results[0]).shape.empty()) {
    return {graph.add_constant(make_literal(graph.type(results[0]).dtype, 1), location)};
  }
  std::vector<Value> cotangents;
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    const Type type = graph.type(graph.outputs()[i]);
    if (!is_float(type.dtype)) continue;
    cotangents.push_back(graph.add_parameter(cotangent_name(graph, i), type, location));
  }
  return cotangents;
}

/// Without the nodes from `begin` on that no output needs. What the user wrote stays: it says what the
/// sizes must be.
Graph prune(const Graph& graph, NodeId begin) {
  const std::vector<bool> live = live_nodes(graph);
  GraphRewriter rewriter(graph);
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (live[id] || id < begin) rewriter.copy(id);
  }
  return rewriter.finish();
}

}  // namespace

std::vector<Value> add_gradients(Graph& graph, const std::vector<Value>& results,
                                 const std::vector<Value>& cotangents,
                                 const std::vector<Value>& wrt, const SourceLocation& location) {
  check_floating(graph, results, "the gradient of a result", location);
  check_floating(graph, wrt, "a gradient by a tensor", location);
  support::check(results.size() == cotangents.size(), "{} results and {} cotangents",
                 results.size(), cotangents.size());
  Sweep sweep(graph, wrt);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Expr cotangent(graph, cotangents[i], location);
    sweep.seed(results[i], cast(cotangent, compute_dtype(cotangent.dtype())));
  }
  sweep.run();
  std::vector<Value> gradients;
  for (const Value value : wrt) {
    const Type type = graph.type(value);
    const Expr* found = sweep.gradient_of(value);
    if (found == nullptr) {
      const Value zero = graph.add_constant(make_literal(type.dtype, 0), location);
      gradients.push_back(broadcast_value(graph, zero, type.shape, location));
    } else if (found->dtype() == type.dtype) {
      gradients.push_back(found->value());
    } else {
      gradients.push_back(
          graph.add(Op::Cast, {found->value()},
                    {{AttributeName::DType, type.dtype}, {AttributeName::Implicit, true}},
                    found->location()));
    }
  }
  return gradients;
}

Graph make_gradient(const Graph& graph, const GradientRequest& request,
                    const SourceLocation& location) {
  Graph result = graph;
  result.set_name(graph.name() + "_gradient");
  const std::vector<Value> wrt = values_named(graph, request.wrt, location);
  const std::vector<Value> results = floating_results(graph);
  if (results.empty()) {
    support::throw_user_at(location, "{} has no floating result to differentiate", graph.name());
  }
  const std::vector<Value> cotangents = add_cotangents(result, results, location);
  std::vector<Value> outputs = request.with_results ? graph.outputs() : std::vector<Value>();
  for (const Value value : add_gradients(result, results, cotangents, wrt, location)) {
    outputs.push_back(value);
  }
  result.set_outputs(std::move(outputs));
  return prune(result, static_cast<NodeId>(graph.nodes().size()));
}

}  // namespace sinter::ir
