// Building Graphs, and their equality.
#include "ir/graph.h"

#include <algorithm>
#include <numeric>

#include "ir/infer_rules.h"
#include "support/check.h"
#include "support/lexer.h"

namespace sinter::ir {

namespace {

/// Position of every node among the parameters, or among the others. Graphs are equal whatever the
/// order in which the two kinds interleave: the text form lists all parameters first.
std::vector<std::size_t> positions_by_kind(const Graph& graph) {
  std::vector<std::size_t> positions;
  std::size_t parameters = 0;
  std::size_t others = 0;
  for (const Node& node : graph.nodes()) {
    positions.push_back(node.op == Op::Parameter ? parameters++ : others++);
  }
  return positions;
}

std::vector<const Node*> nodes_by_kind(const Graph& graph) {
  std::vector<const Node*> nodes;
  for (const Node& node : graph.nodes()) nodes.push_back(&node);
  std::stable_partition(nodes.begin(), nodes.end(),
                        [](const Node* node) { return node->op == Op::Parameter; });
  return nodes;
}

/// Compares values of two graphs by what they name.
class ValueComparison {
 public:
  ValueComparison(const Graph& a, const Graph& b)
      : a_(a), b_(b), positions_a_(positions_by_kind(a)), positions_b_(positions_by_kind(b)) {}

  bool equal(const std::vector<Value>& left, const std::vector<Value>& right) const {
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(), [this](Value x, Value y) {
          return x.result == y.result && positions_a_[x.node] == positions_b_[y.node] &&
                 is_parameter(a_, x) == is_parameter(b_, y);
        });
  }

 private:
  static bool is_parameter(const Graph& graph, Value value) {
    return graph.node(value).op == Op::Parameter;
  }

  const Graph& a_;
  const Graph& b_;
  std::vector<std::size_t> positions_a_;
  std::vector<std::size_t> positions_b_;
};

/// Lists with one entry an axis; a list of another length is left to inference.
template <typename List>
void permute_list(Attributes& attributes, AttributeName name,
                  const std::vector<std::size_t>& order) {
  const AttributeValue* value = attributes.find(name);
  const auto* list = value ? std::get_if<List>(value) : nullptr;
  if (!list || list->size() != order.size()) return;
  List sorted;
  for (const std::size_t i : order) sorted.push_back((*list)[i]);
  attributes.set(name, std::move(sorted));
}

/// Axes of reductions are a set: kept sorted, what is given for each of them with it, so that equal nodes
/// compare equal. Where a shape stands beside windows (fold_windows), the order of the axes is that of the
/// operand's dimensions, and stays.
void sort_axes(Op op, Attributes& attributes) {
  using Integers = std::vector<std::int64_t>;
  using enum AttributeName;
  const OpClass op_class = info(op).op_class;
  if (op_class != OpClass::Reduction && op_class != OpClass::Composite) return;
  const AttributeValue* value = attributes.find(Axes);
  const auto* axes = value ? std::get_if<Integers>(value) : nullptr;
  const bool is_ordered =
      attributes.find(AttributeName::Shape) != nullptr && attributes.find(Window) != nullptr;
  if (!axes || is_ordered || std::is_sorted(axes->begin(), axes->end())) return;
  std::vector<std::size_t> order(axes->size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&, given = *axes](std::size_t a, std::size_t b) {
    return given[a] < given[b];
  });
  for (const AttributeName name : {Axes, Step, Window, Dilation, PadLow, PadHigh}) {
    permute_list<Integers>(attributes, name, order);
  }
  permute_list<ir::Shape>(attributes, AttributeName::Shape, order);
}

}  // namespace

std::string to_string(const Type& type) {
  const std::string shape = type.shape.empty() ? "" : to_string(type.shape);
  return std::string(to_string(type.dtype)) + shape;
}

Value Graph::add_parameter(const std::string& name, Type type, SourceLocation location) {
  if (!support::is_identifier(name)) {
    support::throw_user_at(location, "the parameter name '{}' must be letters, digits and _", name);
  }
  for (const NodeId id : parameters_) {
    if (parameter_name(id) != name) continue;
    support::throw_user_at(location, "there are two parameters named '{}'", name);
  }
  check_shape(type.shape, location);
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(
      {Op::Parameter, {}, {{AttributeName::Name, name}}, {std::move(type)}, std::move(location)});
  parameters_.push_back(id);
  return {id, 0};
}

Value Graph::add_host_scalar(const std::string& name, DType dtype, SourceLocation location) {
  const Value value = add_parameter(name, {dtype, {}}, std::move(location));
  nodes_[value.node].attributes.set(AttributeName::Host, true);
  return value;
}

Value Graph::add_constant(Literal literal, SourceLocation location) {
  return add(Op::Constant, {}, {{AttributeName::Value, literal}}, std::move(location));
}

Value Graph::add(Op op, std::vector<Value> operands, Attributes attributes,
                 SourceLocation location) {
  std::vector<Type> types;
  for (const Value operand : operands) types.push_back(type(operand));
  sort_axes(op, attributes);
  std::vector<Type> results = infer_types(op, types, attributes, location);
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(
      {op, std::move(operands), std::move(attributes), std::move(results), std::move(location)});
  return {id, 0};
}

void Graph::set_outputs(std::vector<Value> outputs) {
  for (const Value output : outputs) type(output);  // checks that it exists
  outputs_ = std::move(outputs);
}

const Node& Graph::node(NodeId id) const {
  support::check(id < nodes_.size(), "graph {} has no node {}", name_, id);
  return nodes_[id];
}

const Type& Graph::type(Value value) const {
  const Node& from = node(value);
  support::check(value.result < from.results.size(), "node {} of graph {} has no result {}",
                 value.node, name_, value.result);
  return from.results[value.result];
}

const std::string& Graph::parameter_name(NodeId id) const {
  return node(id).attributes.get<std::string>(AttributeName::Name);
}

bool Graph::is_host_scalar(NodeId parameter) const {
  return node(parameter).attributes.get_or<bool>(AttributeName::Host, false);
}

bool operator==(const Graph& a, const Graph& b) {
  if (a.name() != b.name() || a.nodes().size() != b.nodes().size()) return false;
  if (a.parameters().size() != b.parameters().size()) return false;
  const ValueComparison values(a, b);
  if (!values.equal(a.outputs(), b.outputs())) return false;
  const auto nodes_a = nodes_by_kind(a);
  const auto nodes_b = nodes_by_kind(b);
  return std::equal(nodes_a.begin(), nodes_a.end(), nodes_b.begin(),
                    [&](const Node* x, const Node* y) {
                      return x->op == y->op && x->attributes == y->attributes &&
                             x->results == y->results && values.equal(x->operands, y->operands);
                    });
}

}  // namespace sinter::ir
