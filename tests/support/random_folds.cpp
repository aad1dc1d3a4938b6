// Axes, reducers and second operands are drawn here.
#include "tests/support/random_folds.h"

#include "tests/support/random_attributes.h"
#include "tests/support/random_functions.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Attributes;
using ir::Dim;
using ir::Op;
using ir::Shape;
using ir::Type;
using ir::Value;

namespace {

/// An operator with an identity, or a Function; the latter may add an operand.
void draw_reducer(GraphGrower& grower, std::vector<Value>& operands, Attributes& attributes) {
  Random& random = grower.random();
  const Type type = grower.graph().type(operands[0]);
  if (grower.options().functions && type.dtype != DType::Bool && random.chance(0.3)) {
    const bool with_index = random.chance(0.4);
    if (with_index) operands.push_back(grower.make_operand({DType::I64, type.shape}));
    attributes.set(AttributeName::Reducer,
                   with_index ? make_argmax(type.dtype) : make_largest_magnitude(type.dtype));
    return;
  }
  std::vector<Op> ops;
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (ir::accepts_dtype(row.op, type.dtype) && ir::identity_of(row.op, type.dtype)) {
      ops.push_back(row.op);
    }
  }
  const Op op = ops.empty() ? Op::Add : random.pick(ops);
  attributes.set(AttributeName::Reducer, ir::Reducer{op, nullptr, {}});
}

}  // namespace

std::optional<Value> grow_reduction(GraphGrower& grower, Op op, Value operand) {
  const Shape shape = grower.graph().type(operand).shape;
  Attributes attributes = {{AttributeName::Axes, draw_axes(shape, grower.random())}};
  std::vector<Value> operands = {operand};
  if (op == Op::Reduce) draw_reducer(grower, operands, attributes);
  if (op == Op::Sum && grower.random().chance(0.3)) {
    attributes.set(AttributeName::DType, grower.draw_dtype());
  }
  return grower.add(op, operands, attributes);
}

std::optional<Value> grow_scan(GraphGrower& grower, Value operand) {
  Random& random = grower.random();
  const Shape shape = grower.graph().type(operand).shape;
  if (shape.empty()) return std::nullopt;
  const std::int64_t axis = random.below(static_cast<std::int64_t>(shape.size()));
  Attributes attributes = {{AttributeName::Axis, axis}};
  std::vector<Value> operands = {operand};
  draw_reducer(grower, operands, attributes);
  if (random.chance(0.3)) attributes.set(AttributeName::Exclusive, true);
  if (random.chance(0.3)) attributes.set(AttributeName::Reverse, true);
  return grower.add(Op::Scan, operands, attributes);
}

std::optional<Value> grow_matmul(GraphGrower& grower, Value operand) {
  Random& random = grower.random();
  const Type type = grower.graph().type(operand);
  const std::int64_t elements = grower.count(type.shape);
  const std::int64_t most = grower.options().most_products;
  if (type.shape.size() < 2 || elements > most) return std::nullopt;
  Dim columns = random.pick(random_extents());
  if (grower.extent(columns) * elements > most) columns = 1;
  Type other = {type.dtype, {type.shape.back(), columns}};
  // Batched with the same leading dimensions, or broadcast over them.
  if (random.chance(0.5)) {
    other.shape.insert(other.shape.begin(), type.shape.begin(), type.shape.end() - 2);
  }
  Attributes attributes;
  if (type.dtype == DType::F32 && random.chance(0.3)) {
    attributes.set(AttributeName::Precision, ir::Precision::Ieee);
  }
  return grower.add(Op::Matmul, {operand, grower.make_operand(other)}, attributes);
}

std::optional<Value> grow_einsum(GraphGrower& grower, Value operand) {
  Random& random = grower.random();
  const Type type = grower.graph().type(operand);
  if (type.shape.size() > 4) return std::nullopt;
  std::string left;
  std::string right;
  std::string result;
  Type other{type.dtype, {}};
  std::int64_t products = grower.count(type.shape);
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const char label = static_cast<char>('a' + d);
    left += label;
    const bool is_shared = random.chance(0.5);
    if (is_shared) {
      right += label;
      other.shape.push_back(type.shape[d]);
    }
    if (!is_shared || random.chance(0.4)) result.insert(result.begin(), label);
  }
  if (random.chance(0.6)) {
    right += 'z';
    result += 'z';
    other.shape.emplace_back(random.between(0, 4));
    products *= 4;
  }
  if (products > grower.options().most_products) return std::nullopt;
  return grower.add(Op::Einsum, {operand, grower.make_operand(other)},
                    {{AttributeName::Equation, left + "," + right + "->" + result}});
}

}  // namespace sinter::tests
