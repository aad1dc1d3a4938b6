// The table of expansions, and their inlining into Kernels and reducers.
#include "codegen/expand/expand.h"

#include <algorithm>
#include <map>

#include "codegen/expand/functions.h"
#include "ir/rewrite.h"
#include "support/check.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::DType;
using ir::Graph;
using ir::Kernel;
using ir::Literal;
using ir::Op;
using ir::Value;

namespace {

using FunctionPtr = std::shared_ptr<const Graph>;

struct ExpansionRow {
  Op op;
  FunctionPtr (*make)(DType dtype);
};

constexpr ExpansionRow kExpansions[] = {
#define SINTER_EXPANSION(name, make) {Op::name, make},
#include "codegen/expand/expansions.def"
#undef SINTER_EXPANSION
};

std::map<std::pair<Op, DType>, FunctionPtr> make_all_expansions() {
  std::map<std::pair<Op, DType>, FunctionPtr> all;
  for (const ExpansionRow& row : kExpansions) {
    for (const DType dtype : {DType::F32, DType::F64}) all[{row.op, dtype}] = row.make(dtype);
  }
  return all;
}

/// Copies nodes into a Kernel or a Graph (both build by `add`), each constant of an expansion once.
template <typename Target>
class Inliner {
 public:
  explicit Inliner(Target& target) : target_(target) {}

  /// The function of these operands, expanded. Narrow floats are computed in f32.
  Value expand(const Graph& function, std::vector<Value> operands, DType dtype,
               const SourceLocation& location) {
    const DType computed = ir::compute_dtype(dtype);
    if (computed == dtype) return inline_function(function, operands, location);
    for (Value& operand : operands) operand = cast(operand, computed, location);
    return cast(inline_function(function, operands, location), dtype, location);
  }

 private:
  Value cast(Value value, DType dtype, const SourceLocation& location) {
    return target_.add(Op::Cast, {value}, {{AttributeName::DType, dtype}}, location);
  }

  Value constant(const Literal& literal) {
    const auto found = constants_.find(literal);
    if (found != constants_.end()) return found->second;
    return constants_.emplace(literal, append_constant(target_, literal)).first->second;
  }
  static Value append_constant(Kernel& kernel, const Literal& literal) {
    return kernel.constant(literal);
  }
  static Value append_constant(Graph& graph, const Literal& literal) {
    return graph.add_constant(literal);
  }

  Value inline_function(const Graph& function, const std::vector<Value>& arguments,
                        const SourceLocation& location) {
    std::vector<Value> copies;  // of the function's nodes, each of one result
    std::size_t parameters = 0;
    for (const ir::Node& node : function.nodes()) {
      if (node.op == Op::Parameter) {
        copies.push_back(arguments.at(parameters++));
      } else if (node.op == Op::Constant) {
        copies.push_back(constant(node.attributes.get<Literal>(AttributeName::Value)));
      } else {
        std::vector<Value> operands;
        for (const Value operand : node.operands) operands.push_back(copies[operand.node]);
        copies.push_back(target_.add(node.op, std::move(operands), node.attributes, location));
      }
    }
    return copies[function.outputs().front().node];
  }

  Target& target_;
  std::map<Literal, Value> constants_;
};

/// Null where the operator stays.
FunctionPtr wanted_expansion(Op op, DType dtype, const IsNative& is_native) {
  return is_native != nullptr && is_native(op, dtype) ? nullptr : expansion_of(op, dtype);
}

bool has_expansion(const Graph& function, const IsNative& is_native) {
  return std::any_of(function.nodes().begin(), function.nodes().end(), [&](const ir::Node& node) {
    return !node.operands.empty() &&
           wanted_expansion(node.op, function.type(node.operands[0]).dtype, is_native);
  });
}

/// A reducer's Function with expansions inlined.
FunctionPtr expand_function(const Graph& function, const IsNative& is_native) {
  auto expanded = std::make_shared<Graph>(function.name());
  Inliner<Graph> inliner(*expanded);
  std::vector<Value> copies;
  for (ir::NodeId id = 0; id < function.nodes().size(); ++id) {
    const ir::Node& node = function.node(id);
    if (node.op == Op::Parameter) {
      copies.push_back(expanded->add_parameter(function.parameter_name(id), node.results.front(),
                                               node.location));
      continue;
    }
    if (node.op == Op::Constant) {
      const auto literal = node.attributes.get<Literal>(AttributeName::Value);
      copies.push_back(expanded->add_constant(literal, node.location));
      continue;
    }
    std::vector<Value> operands;
    for (const Value operand : node.operands) operands.push_back(copies[operand.node]);
    const DType dtype = function.type(node.operands[0]).dtype;
    const FunctionPtr expansion = wanted_expansion(node.op, dtype, is_native);
    copies.push_back(expansion ? inliner.expand(*expansion, operands, dtype, node.location)
                               : expanded->add(node.op, operands, node.attributes, node.location));
  }
  std::vector<Value> outputs;
  for (const Value output : function.outputs()) outputs.push_back(copies[output.node]);
  expanded->set_outputs(std::move(outputs));
  return expanded;
}

/// The node with its reducer's Function expanded, where it has one.
ir::KernelNode expand_reducer(const ir::KernelNode& node, const IsNative& is_native) {
  const ir::AttributeValue* value = node.attributes.find(AttributeName::Reducer);
  if (value == nullptr) return node;
  ir::Reducer reducer = std::get<ir::Reducer>(*value);
  if (!reducer.function || !has_expansion(*reducer.function, is_native)) return node;
  reducer.function = expand_function(*reducer.function, is_native);
  ir::KernelNode expanded = node;
  expanded.attributes.set(AttributeName::Reducer, std::move(reducer));
  return expanded;
}

}  // namespace

FunctionPtr expansion_of(Op op, DType dtype) {
  static const std::map<std::pair<Op, DType>, FunctionPtr> all = make_all_expansions();
  const auto found = all.find({op, ir::compute_dtype(dtype)});
  return found == all.end() ? nullptr : found->second;
}

Kernel expand_elementary(const Kernel& kernel, const IsNative& is_native) {
  Kernel expanded = ir::copy_frame(kernel);
  Inliner<Kernel> inliner(expanded);
  std::vector<ir::NodeId> copies;  // copies[i]: the node that stands for node i
  const auto renaming = [&](Value value) { return Value{copies[value.node], value.result}; };
  for (const ir::KernelNode& node : kernel.nodes()) {
    const DType dtype = node.operands.empty() ? DType::F32 : kernel.dtype(node.operands[0]);
    const FunctionPtr expansion = wanted_expansion(node.op, dtype, is_native);
    if (!expansion) {
      copies.push_back(ir::copy_node(expanded, expand_reducer(node, is_native), renaming).node);
      continue;
    }
    std::vector<Value> operands;
    for (const Value operand : node.operands) operands.push_back(renaming(operand));
    copies.push_back(inliner.expand(*expansion, operands, dtype, node.location).node);
  }
  return expanded;
}

}  // namespace sinter::codegen
