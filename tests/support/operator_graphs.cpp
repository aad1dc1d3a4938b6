// Operand types are found by trying: the rules of inference say what fits.
#include "tests/support/operator_graphs.h"

#include "ir/attribute_rules.h"
#include "ir/infer_rules.h"
#include "sinter/error.h"
#include "support/check.h"
#include "tests/support/operator_samples.h"
#include "tests/support/random_attributes.h"

namespace sinter::tests {

namespace {

using ir::AttributeKind;
using ir::AttributeName;
using ir::Op;
using ir::Shape;
using ir::Type;

ir::AttributeValue sample_of(AttributeName name) {
  switch (ir::kind_of(name)) {
    case AttributeKind::Bool: return true;
    case AttributeKind::Integer: return std::int64_t{1};
    case AttributeKind::Integers: return std::vector<std::int64_t>{1};
    case AttributeKind::Real: return name == AttributeName::Order ? 2.0 : 0.25;
    case AttributeKind::Text: return std::string();
    case AttributeKind::DType: return DType::F32;
    case AttributeKind::Precision: return ir::Precision::Split;
    case AttributeKind::Literal: return ir::make_literal(DType::F32, 0.5);
    case AttributeKind::Shape: return name == AttributeName::Begin ? Shape{2, 5} : Shape{9, 11};
    case AttributeKind::Reducer: return ir::Reducer{Op::Add, {}, {}};
  }
  support::throw_internal("no such kind");
}

ir::Attributes sample_attributes(Op op) {
  ir::Attributes attributes;
  for (const ir::AttributeRule& rule : ir::graph_attributes(op)) {
    attributes.set(rule.name, sample_of(rule.name));
  }
  return attributes;
}

/// One for each variant that the operator may have; which it takes, inference says.
std::vector<ir::Attributes> all_sample_attributes(Op op) {
  const ir::Attributes attributes = sample_attributes(op);
  if (!attributes.find(AttributeName::Variant)) return {attributes};
  std::vector<ir::Attributes> all;
  for (const std::string& variant : all_variants()) {
    all.push_back(attributes);
    all.back().set(AttributeName::Variant, variant);
  }
  return all;
}

bool fits(Op op, const std::vector<Type>& types, const ir::Attributes& attributes) {
  try {
    return !ir::infer_types(op, types, attributes, {}).empty();
  } catch (const UserError&) {
    return false;
  }
}

/// The first operand has `dtype`; others are tried in this order.
std::optional<std::vector<Type>> find_operands(Op op, DType dtype, std::size_t count,
                                               const ir::Attributes& attributes) {
  const Type first{dtype, {6, 8}};
  const std::vector<Type> others{
      first,      {dtype, {8}}, {DType::Bool, {6, 8}}, {DType::I64, {6, 8}}, {DType::I64, {8}},
      {dtype, {}}};
  std::vector<std::size_t> choice(count - 1);
  for (;;) {
    std::vector<Type> types{first};
    for (const std::size_t c : choice) types.push_back(others[c]);
    if (fits(op, types, attributes)) return types;
    std::size_t i = 0;
    while (i < choice.size() && ++choice[i] == others.size()) choice[i++] = 0;
    if (i == choice.size()) return std::nullopt;
  }
}

/// Samples that the rules of inference take; where there are none for `op`, operands are searched.
std::vector<OperatorSample> find_samples(Op op, DType dtype) {
  const ir::OpInfo& row = ir::info(op);
  if (!ir::accepts_dtype(op, dtype)) return {};
  std::vector<OperatorSample> samples = samples_of(op, dtype);
  if (!samples.empty()) {
    std::erase_if(samples, [&](const OperatorSample& sample) {
      return !fits(op, sample.operands, sample.attributes);
    });
    return samples;
  }
  for (const ir::Attributes& attributes : all_sample_attributes(op)) {
    for (std::size_t count = 3; count >= 1; --count) {
      if (row.arity >= 0 && count != static_cast<std::size_t>(row.arity)) continue;
      const auto types = find_operands(op, dtype, count, attributes);
      if (!types) continue;
      samples.push_back({*types, attributes});
      break;
    }
  }
  return samples;
}

ir::Graph make_graph(Op op, DType dtype, const OperatorSample& sample) {
  ir::Graph graph(std::string(ir::to_string(op)) + "_" + std::string(to_string(dtype)));
  std::vector<ir::Value> operands;
  for (const Type& type : sample.operands) {
    operands.push_back(graph.add_parameter(fmt::format("x{}", operands.size()), type));
  }
  const ir::Value first = graph.add(op, operands, sample.attributes);
  std::vector<ir::Value> outputs;
  for (std::uint32_t r = 0; r < graph.node(first).results.size(); ++r) {
    outputs.push_back({first.node, r});
  }
  graph.set_outputs(outputs);
  return graph;
}

}  // namespace

std::vector<ir::Graph> make_operator_graphs() {
  std::vector<ir::Graph> graphs;
  for (const ir::OpInfo& row : ir::all_ops()) {
    const bool is_simple_reduction =
        row.op_class == ir::OpClass::Reduction && row.combine != Op::None;
    if (row.op_class != ir::OpClass::Composite && !is_simple_reduction) continue;
    const std::size_t before = graphs.size();
    for (const DType dtype :
         {DType::F32, DType::BF16, DType::F64, DType::F8E4M3, DType::I32, DType::U8, DType::Bool}) {
      for (const OperatorSample& sample : find_samples(row.op, dtype)) {
        graphs.push_back(make_graph(row.op, dtype, sample));
      }
    }
    support::check(graphs.size() > before, "no operands were found for {}", row.text);
  }
  return graphs;
}

}  // namespace sinter::tests
