// Each old narrow value stands as a narrow new value (exact), as a wide one (perhaps unrounded), or
// as both once a user needs the other form.
#include "codegen/normalize/widen_narrow_floats.h"

#include <algorithm>
#include <map>

#include "ir/rewrite_graph.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::NodeId;
using ir::Op;
using ir::OpClass;
using ir::Type;
using ir::Value;

Type widen_type(const Type& type) { return {ir::compute_dtype(type.dtype), type.shape}; }

ir::Literal widen_literal(const ir::Literal& literal) {
  if (!ir::is_narrow_float(literal.dtype)) return literal;
  return ir::make_literal(DType::F32, ir::as_double(literal));
}

class Widening {
 public:
  /// A Function keeps no narrow parameter and rounds no output: accumulators are wide.
  Widening(const ir::Graph& graph, Rounding rounding, bool is_function)
      : graph_(graph),
        rounding_(rounding),
        is_function_(is_function),
        rewriter_(graph, is_function ? widen_type : std::function<Type(const Type&)>()) {}

  ir::Graph run() {
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) {
      rewrite(id);
      for (std::uint32_t r = 0; r < graph_.node(id).results.size(); ++r) round({id, r});
    }
    for (const Value output : graph_.outputs()) {
      if (is_narrow(output)) rewriter_.map(output, is_function_ ? wide(output) : narrow(output));
    }
    return rewriter_.finish();
  }

 private:
  bool is_narrow(Value old) const { return ir::is_narrow_float(graph_.type(old).dtype); }

  Value add_cast(Value value, DType dtype, Value old) {
    return rewriter_.graph().add(Op::Cast, {value}, {{AttributeName::DType, dtype}},
                                 graph_.node(old).location);
  }

  /// The value in the type it is computed in.
  Value wide(Value old) {
    if (!is_narrow(old)) return rewriter_.mapped(old);
    const auto known = wide_.find(old);
    if (known != wide_.end()) return known->second;
    return wide_[old] = add_cast(narrow_.at(old), DType::F32, old);
  }

  /// The value in its own type: rounded here, where it is not yet.
  Value narrow(Value old) {
    if (!is_narrow(old)) return rewriter_.mapped(old);
    const auto known = narrow_.find(old);
    if (known != narrow_.end()) return known->second;
    return add_cast(wide_.at(old), graph_.type(old).dtype, old);
  }

  bool has_narrow(Value old) const { return !is_narrow(old) || narrow_.contains(old); }

  void rewrite(NodeId id);
  void rewrite_cast(NodeId id);
  void add_node(NodeId id, bool is_kept_narrow);
  ir::Attributes widen_attributes(const ir::Attributes& attributes) const;

  /// From here on all consumers see the rounded value.
  void round(Value old) {
    if (is_function_ || !is_narrow(old) || narrow_.contains(old)) return;
    const auto& outputs = graph_.outputs();
    const bool is_output = std::find(outputs.begin(), outputs.end(), old) != outputs.end();
    const Op op = graph_.node(old).op;
    const bool is_computed =
        op != Op::Constant && !ir::is_view(op) && ir::info(op).op_class != OpClass::Movement;
    if (!is_output && !(rounding_ == Rounding::Each && is_computed)) return;
    narrow_[old] = add_cast(wide_.at(old), graph_.type(old).dtype, old);
    wide_.erase(old);
  }

  const ir::Graph& graph_;
  Rounding rounding_;
  bool is_function_;
  ir::GraphRewriter rewriter_;
  std::map<Value, Value> narrow_;
  std::map<Value, Value> wide_;
};

void Widening::rewrite(NodeId id) {
  const ir::Node& node = graph_.node(id);
  const Value result{id, 0};
  if (node.op == Op::Parameter) {
    if (is_narrow(result)) (is_function_ ? wide_ : narrow_)[result] = rewriter_.mapped(result);
  } else if (node.op == Op::Constant && is_narrow(result)) {
    const auto& literal = node.attributes.get<ir::Literal>(AttributeName::Value);
    wide_[result] = rewriter_.graph().add_constant(widen_literal(literal), node.location);
  } else if (ir::info(node.op).op_class == OpClass::Cast) {
    rewrite_cast(id);
  } else {
    // Views and selections keep bits, and moving narrow values costs less.
    const bool keeps_bits = ir::is_view(node.op) || node.op == Op::Select ||
                            ir::info(node.op).op_class == OpClass::Movement;
    add_node(id, keeps_bits && std::all_of(node.operands.begin(), node.operands.end(),
                                           [&](Value operand) { return has_narrow(operand); }));
  }
}

void Widening::rewrite_cast(NodeId id) {
  const ir::Node& node = graph_.node(id);
  const Value operand = node.operands[0];
  const Value result{id, 0};
  if (node.attributes.get_or<bool>(AttributeName::Implicit, false)) {
    wide_[result] = wide(operand);
    return;
  }
  const Value input = node.op == Op::Bitcast ? narrow(operand) : wide(operand);
  const DType target = node.attributes.get<DType>(AttributeName::DType);
  const bool is_done = node.op == Op::Cast && is_narrow(operand) && target == DType::F32;
  const Value output =
      is_done ? input : rewriter_.graph().add(node.op, {input}, node.attributes, node.location);
  if (is_narrow(result)) {
    narrow_[result] = output;
  } else {
    rewriter_.map(result, output);
  }
}

void Widening::add_node(NodeId id, bool is_kept_narrow) {
  const ir::Node& node = graph_.node(id);
  std::vector<Value> operands;
  for (const Value operand : node.operands) {
    operands.push_back(is_kept_narrow ? narrow(operand) : wide(operand));
  }
  ir::Attributes attributes = widen_attributes(node.attributes);
  if (node.op == Op::Pad && !is_kept_narrow) {
    attributes.set(AttributeName::Outside,
                   widen_literal(attributes.get<ir::Literal>(AttributeName::Outside)));
  }
  const Value first =
      rewriter_.graph().add(node.op, std::move(operands), std::move(attributes), node.location);
  for (std::uint32_t r = 0; r < node.results.size(); ++r) {
    const Value old{id, r};
    const Value result{first.node, r};
    if (!is_narrow(old)) {
      rewriter_.map(old, result);
    } else {
      (is_kept_narrow ? narrow_ : wide_)[old] = result;
    }
  }
}

/// A reducer's Function, and the dtype of a sum.
ir::Attributes Widening::widen_attributes(const ir::Attributes& attributes) const {
  ir::Attributes result = attributes;
  if (const ir::AttributeValue* dtype = attributes.find(AttributeName::DType)) {
    result.set(AttributeName::DType, ir::compute_dtype(std::get<DType>(*dtype)));
  }
  const ir::AttributeValue* value = attributes.find(AttributeName::Reducer);
  if (value == nullptr || !std::get<ir::Reducer>(*value).function) return result;
  result = ir::rewrite_functions(attributes, [&](const ir::Graph& function) {
    return Widening(function, rounding_, true).run();
  });
  ir::Reducer reducer = result.get<ir::Reducer>(AttributeName::Reducer);
  for (ir::Literal& identity : reducer.identity) identity = widen_literal(identity);
  result.set(AttributeName::Reducer, std::move(reducer));
  return result;
}

}  // namespace

ir::Graph widen_narrow_floats(const ir::Graph& graph, const NormalizeOptions& options) {
  return Widening(graph, options.rounding, false).run();
}

}  // namespace sinter::codegen
