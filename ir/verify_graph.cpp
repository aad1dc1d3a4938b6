// Checks Graphs and Functions.
#include <set>

#include "ir/infer_rules.h"
#include "ir/verify.h"
#include "support/check.h"
#include "support/lexer.h"

namespace sinter::ir {

namespace {

class GraphVerifier {
 public:
  explicit GraphVerifier(const Graph& graph) : graph_(graph) {}

  void run() {
    if (!support::is_identifier(graph_.name())) {
      support::throw_internal("the graph name '{}' is not letters, digits and _", graph_.name());
    }
    for (id_ = 0; id_ < graph_.nodes().size(); ++id_) {
      const Node& node = graph_.node(id_);
      node.op == Op::Parameter ? verify_parameter(node) : verify_node(node);
    }
    verify_outputs();
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    support::throw_internal("graph {}, node {} ({}): {}", graph_.name(), id_,
                            to_string(graph_.node(id_).op),
                            fmt::format(format, std::forward<Args>(args)...));
  }

  bool exists(Value value) const {
    return value.node < graph_.nodes().size() && value.result < graph_.node(value).results.size();
  }

  void verify_parameter(const Node& node) {
    const auto* name = node.attributes.find(AttributeName::Name);
    const bool has_name = name && std::holds_alternative<std::string>(*name);
    const auto* host = node.attributes.find(AttributeName::Host);
    const std::size_t known = host ? 2 : 1;
    if (!has_name || node.attributes.list().size() != known) {
      fail("it needs attribute name, and may have host, only");
    }
    if (host && (*host != AttributeValue(true) || !node.results.at(0).shape.empty())) {
      fail("a host scalar has rank 0 and says host: true");
    }
    if (!names_.insert(std::get<std::string>(*name)).second) {
      fail("the name '{}' is taken", std::get<std::string>(*name));
    }
    if (!node.operands.empty() || node.results.size() != 1) {
      fail("a parameter has no operand and one result");
    }
  }

  void verify_node(const Node& node) const {
    std::vector<Type> types;
    for (const Value operand : node.operands) {
      if (operand.node >= id_) fail("operand %{} does not come before it", operand.node);
      if (!exists(operand)) fail("node {} has no result {}", operand.node, operand.result);
      types.push_back(graph_.type(operand));
    }
    verify_results(node, types);
    const AttributeValue* reducer = node.attributes.find(AttributeName::Reducer);
    if (!reducer) return;
    const auto& function = std::get<Reducer>(*reducer).function;
    if (function) verify_function(*function);
  }

  void verify_results(const Node& node, const std::vector<Type>& types) const {
    std::vector<Type> inferred;
    try {
      inferred = infer_types(node.op, types, node.attributes, {});
    } catch (const UserError& error) {
      fail("{}", error.what());
    }
    if (inferred.size() != node.results.size()) {
      fail("it has {} results, {} are inferred", node.results.size(), inferred.size());
    }
    for (std::size_t i = 0; i < inferred.size(); ++i) {
      if (inferred[i] == node.results[i]) continue;
      fail("result {} is {}, inferred is {}", i, to_string(node.results[i]),
           to_string(inferred[i]));
    }
  }

  void verify_outputs() const {
    if (graph_.outputs().empty()) support::throw_internal("graph {} has no output", graph_.name());
    for (const Value output : graph_.outputs()) {
      if (exists(output)) continue;
      support::throw_internal("graph {} returns a value that does not exist: node {}, result {}",
                              graph_.name(), output.node, output.result);
    }
  }

  const Graph& graph_;
  NodeId id_ = 0;
  std::set<std::string> names_;
};

}  // namespace

void verify_graph(const Graph& graph) { GraphVerifier(graph).run(); }

void verify_function(const Graph& function) {
  GraphVerifier(function).run();
  if (const auto fault = find_function_fault(function)) {
    support::throw_internal("function {}: {}", function.name(), *fault);
  }
}

}  // namespace sinter::ir
