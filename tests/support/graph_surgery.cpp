// A walk back from the outputs, then a walk forward that adds what was met.
#include "tests/support/graph_surgery.h"

#include <fmt/format.h>

namespace sinter::tests {

using ir::AttributeName;
using ir::Op;
using ir::Shape;
using ir::Value;

namespace {

class Operation {
 public:
  Operation(const ir::Graph& graph, const Surgery& surgery)
      : graph_(graph), surgery_(surgery), needed_(graph.nodes().size()), made_(graph.name()) {}

  ir::Graph run() {
    const auto& outputs = surgery_.outputs.empty() ? graph_.outputs() : surgery_.outputs;
    for (const Value output : outputs) need(output);
    for (ir::NodeId id = 0; id < graph_.nodes().size(); ++id) add(id);
    std::vector<Value> mapped;
    for (const Value output : outputs) mapped.push_back(map_.at(resolve(output)));
    made_.set_outputs(mapped);
    return std::move(made_);
  }

 private:
  Value resolve(Value value) const {
    for (auto found = surgery_.forwarded.find(value); found != surgery_.forwarded.end();
         found = surgery_.forwarded.find(value)) {
      value = found->second;
    }
    return value;
  }

  void need(Value value) {
    value = resolve(value);
    if (surgery_.inputs.contains(value)) {
      cut_.insert(value);
      return;
    }
    if (needed_[value.node]) return;
    needed_[value.node] = true;
    for (const Value operand : graph_.node(value).operands) need(operand);
  }

  Shape changed(Shape shape) const {
    if (!surgery_.dimension) return shape;
    for (ir::Dim& dim : shape) dim = surgery_.dimension(dim);
    return shape;
  }

  void add(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      if (!cut_.contains({id, r})) continue;
      const ir::Type& type = node.results[r];
      const std::string name = fmt::format("cut{}_{}", id, r);
      map_[{id, r}] = made_.add_parameter(name, {type.dtype, changed(type.shape)});
    }
    if (!needed_[id]) return;
    if (node.op == Op::Parameter) {
      const std::string& name = graph_.parameter_name(id);
      const ir::Type type{node.results[0].dtype, changed(node.results[0].shape)};
      map_[{id, 0}] = graph_.is_host_scalar(id) ? made_.add_host_scalar(name, type.dtype)
                                                : made_.add_parameter(name, type);
      return;
    }
    ir::Attributes attributes = node.attributes;
    if (const auto* shape = attributes.find(AttributeName::Shape)) {
      attributes.set(AttributeName::Shape, changed(std::get<Shape>(*shape)));
    }
    std::vector<Value> operands;
    for (const Value operand : node.operands) operands.push_back(map_.at(resolve(operand)));
    const Value first = made_.add(node.op, operands, attributes);
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      if (!cut_.contains({id, r})) map_[{id, r}] = {first.node, r};
    }
  }

  const ir::Graph& graph_;
  const Surgery& surgery_;
  std::vector<bool> needed_;
  std::set<Value> cut_;  // of surgery_.inputs, those that are needed
  ir::Graph made_;
  std::map<Value, Value> map_;
};

}  // namespace

ir::Graph operate(const ir::Graph& graph, const Surgery& surgery) {
  return Operation(graph, surgery).run();
}

}  // namespace sinter::tests
