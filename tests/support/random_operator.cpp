// Operands of pointwise operators and composites; the rest goes to its family.
#include "tests/support/random_operator.h"

#include <algorithm>
#include <array>

#include "ir/define/composite.h"
#include "tests/support/operator_samples.h"
#include "tests/support/random_attributes.h"
#include "tests/support/random_folds.h"
#include "tests/support/random_views.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Attributes;
using ir::Dim;
using ir::Op;
using ir::OpClass;
using ir::Shape;
using ir::Type;
using ir::Value;

namespace {

/// Bits are only reinterpreted at the same width.
DType draw_target(GraphGrower& grower, Op op, DType from) {
  for (int attempt = 0; attempt < 40; ++attempt) {
    const DType drawn = grower.draw_dtype();
    if (op != Op::Bitcast || size_bytes(drawn) == size_bytes(from)) return drawn;
  }
  return from;
}

std::optional<Value> grow_pointwise(GraphGrower& grower, const ir::OpInfo& row, Value operand) {
  const Type type = grower.graph().type(operand);
  std::vector<Value> operands = {operand};
  Attributes attributes;
  if (row.op_class == OpClass::Cast) {
    attributes.set(AttributeName::DType, draw_target(grower, row.op, type.dtype));
  }
  if (row.op == Op::Select) operands = {grower.make_condition(type.shape), operand};
  while (operands.size() < static_cast<std::size_t>(row.arity)) {
    operands.push_back(grower.make_operand(type));
  }
  if (row.op != Op::Select && grower.random().chance(0.3)) {
    std::swap(operands.front(), operands.back());
  }
  return grower.add(row.op, operands, attributes);
}

/// Whether all values of its definition are small: some look at pairs of elements.
bool is_small(const GraphGrower& grower, Op op, const std::vector<Type>& types,
              const Attributes& attributes) {
  ir::Graph graph("one");
  std::vector<Value> operands;
  for (const Type& type : types) {
    operands.push_back(graph.add_parameter(fmt::format("x{}", operands.size()), type));
  }
  graph.set_outputs({graph.add(op, operands, attributes)});
  const ir::Graph primitives = ir::decompose(graph);
  return std::all_of(primitives.nodes().begin(), primitives.nodes().end(), [&](const auto& node) {
    return grower.count(node.results.at(0).shape) <= grower.options().most_products;
  });
}

Type draw_other_operand(Random& random, const Type& first) {
  Type other = first;
  if (random.chance(0.3)) other.dtype = random.chance(0.7) ? DType::Bool : DType::I64;
  if (random.chance(0.3)) {
    const auto keep = random.below(static_cast<std::int64_t>(first.shape.size()) + 1);
    other.shape.assign(first.shape.begin() + keep, first.shape.end());
  }
  return other;
}

/// Operands that its definition takes are found by trying.
std::optional<Value> grow_composite(GraphGrower& grower, const ir::OpInfo& row, Value operand) {
  Random& random = grower.random();
  const Type type = grower.graph().type(operand);
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Attributes attributes = draw_attributes(row.op, type.shape, random);
    const std::int64_t operand_count = row.arity >= 0 ? row.arity : random.between(1, 3);
    std::vector<Type> types{type};
    while (static_cast<std::int64_t>(types.size()) < operand_count) {
      types.push_back(draw_other_operand(random, type));
    }
    if (!is_legal(row.op, types, attributes) || !is_small(grower, row.op, types, attributes)) {
      continue;
    }
    std::vector<Value> operands{operand};
    for (std::size_t i = 1; i < types.size(); ++i) {
      operands.push_back(grower.make_operand(types[i]));
    }
    return grower.add(row.op, operands, attributes);
  }
  return grow_sample(grower, row.op, type.dtype);
}

std::optional<Value> grow_iota(GraphGrower& grower, DType dtype) {
  const Shape shape = grower.draw_shape();
  if (shape.empty()) return std::nullopt;
  const std::int64_t axis = grower.random().below(static_cast<std::int64_t>(shape.size()));
  return grower.add(
      Op::Iota, {},
      {{AttributeName::DType, dtype}, {AttributeName::Shape, shape}, {AttributeName::Axis, axis}});
}

}  // namespace

std::optional<Value> grow_leaf(GraphGrower& grower, Op op, DType dtype) {
  if (op == Op::Iota) return grow_iota(grower, dtype);
  if (op == Op::Size) {
    const Dim size = Dim::size(grower.random().chance(0.7) ? "n" : "m");
    return grower.add(op, {}, {{AttributeName::Shape, Shape{size * 2 + 1}}});
  }
  const ir::Literal literal = ir::make_literal(dtype, grower.random().pick(random_constants()));
  return grower.add(Op::Constant, {}, {{AttributeName::Value, literal}});
}

std::optional<Value> grow_sample(GraphGrower& grower, Op op, DType dtype) {
  const std::vector<OperatorSample> samples = samples_of(op, dtype);
  if (samples.empty()) return std::nullopt;
  const OperatorSample& sample = grower.random().pick(samples);
  if (!is_legal(op, sample.operands, sample.attributes)) return std::nullopt;
  std::vector<Value> operands;
  for (const Type& type : sample.operands) operands.push_back(grower.add_tensor(type));
  return grower.add(op, operands, sample.attributes);
}

std::optional<Value> grow_operator(GraphGrower& grower, Op op, Value operand) {
  const ir::OpInfo& row = ir::info(op);
  if (ir::is_pointwise(op)) return grow_pointwise(grower, row, operand);
  switch (row.op_class) {
    case OpClass::View: return grow_view(grower, op, operand);
    case OpClass::Movement:
      return op == Op::Pad ? grow_pad(grower, operand) : grow_gather(grower, operand);
    case OpClass::Contraction:
      return op == Op::Einsum ? grow_einsum(grower, operand) : grow_matmul(grower, operand);
    case OpClass::Composite: return grow_composite(grower, row, operand);
    case OpClass::Scan: return grow_scan(grower, operand);
    case OpClass::Leaf: return grow_leaf(grower, op, grower.graph().type(operand).dtype);
    default: return grow_reduction(grower, op, operand);
  }
}

}  // namespace sinter::tests
