// Attributes of views are drawn so that most of them fit.
#include "tests/support/random_views.h"

#include <algorithm>
#include <array>

#include "tests/support/random_attributes.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Attributes;
using ir::Dim;
using ir::Op;
using ir::Shape;
using ir::Type;
using ir::Value;

namespace {

Attributes broadcast_attributes(GraphGrower& grower, Shape shape) {
  Random& random = grower.random();
  for (Dim& dim : shape) {
    dim = dim == Dim(1) ? Dim(random.pick(random_extents())) : grower.disguise(dim);
  }
  if (shape.size() < 4) shape.insert(shape.begin(), random.between(0, 4));
  return {{AttributeName::Shape, shape}};
}

/// Merges two neighbours, splits a number, adds a 1, or drops one.
Attributes reshape_attributes(GraphGrower& grower, Shape shape) {
  Random& random = grower.random();
  const auto d = static_cast<std::size_t>(
      random.below(std::max<std::int64_t>(static_cast<std::int64_t>(shape.size()), 1)));
  const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
  if (d + 1 < shape.size() && random.chance(0.5)) {
    shape[d] = shape[d] * shape[d + 1];
    shape.erase(at + 1);
  } else if (d < shape.size() && shape[d] == Dim(1)) {
    shape.erase(at);
  } else if (d < shape.size() && shape[d].is_constant() && shape[d].constant() % 2 == 0) {
    shape[d] = shape[d].constant() / 2;
    shape.insert(at + 1, 2);
  } else {
    shape.insert(at, 1);
  }
  for (Dim& dim : shape) dim = grower.disguise(dim);
  return {{AttributeName::Shape, shape}};
}

Attributes permute_attributes(GraphGrower& grower, const Shape& shape) {
  std::vector<std::int64_t> axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    axes.insert(axes.begin() + grower.random().below(static_cast<std::int64_t>(d) + 1),
                static_cast<std::int64_t>(d));
  }
  return {{AttributeName::Axes, axes}};
}

/// Numbers: any range with any step. Names: whole, reversed, or every second.
Attributes slice_attributes(GraphGrower& grower, const Shape& shape) {
  Random& random = grower.random();
  Shape begin;
  Shape length;
  std::vector<std::int64_t> steps;
  for (const Dim& dim : shape) {
    std::int64_t step = random.chance(0.6) ? 1 : random.between(2, 3);
    const bool reversed = random.chance(0.3);
    if (!dim.is_constant()) {
      step = std::min<std::int64_t>(step, 2);
      begin.push_back(reversed ? dim - 1 : Dim(0));
      length.push_back(step == 1 ? dim : ir::floor_div(dim, 2));
    } else {
      const std::int64_t total = dim.constant();
      const std::int64_t first = total > 0 ? random.below(total) / 2 : 0;
      const std::int64_t most = (total - first + step - 1) / step;
      length.emplace_back(random.between(std::min<std::int64_t>(most, 1), most));
      begin.emplace_back(reversed ? total - 1 - first : first);
    }
    length.back() = grower.disguise(length.back());
    steps.push_back(reversed ? -step : step);
  }
  return {
      {AttributeName::Begin, begin}, {AttributeName::Shape, length}, {AttributeName::Step, steps}};
}

/// An axis' index, moved by an operator that index maps know; nullopt where there is no axis.
std::optional<Value> grow_known_index(GraphGrower& grower, const Shape& shape) {
  Random& random = grower.random();
  const std::int64_t axis = random.below(static_cast<std::int64_t>(shape.size()));
  const auto index = grower.add(Op::Iota, {},
                                {{AttributeName::DType, DType::I64},
                                 {AttributeName::Shape, shape},
                                 {AttributeName::Axis, axis}});
  if (!index) return std::nullopt;
  const Op op = random.pick(std::array{Op::Add, Op::Sub, Op::Mod, Op::FloorDiv, Op::Minimum});
  const Value number =
      grower.graph().add_constant(ir::make_integer_literal(DType::I64, random.between(1, 3)));
  return grower.add(op, {*index, grower.broadcast_to(number, shape)}, {});
}

}  // namespace

std::optional<Value> grow_view(GraphGrower& grower, Op op, Value operand) {
  const Shape shape = grower.graph().type(operand).shape;
  switch (op) {
    case Op::Broadcast: return grower.add(op, {operand}, broadcast_attributes(grower, shape));
    case Op::Reshape: return grower.add(op, {operand}, reshape_attributes(grower, shape));
    case Op::Permute: return grower.add(op, {operand}, permute_attributes(grower, shape));
    case Op::Unfold: return grower.add(op, {operand}, draw_windows(shape, grower.random()));
    default: return grower.add(op, {operand}, slice_attributes(grower, shape));
  }
}

std::optional<Value> grow_pad(GraphGrower& grower, Value operand) {
  Random& random = grower.random();
  const Type type = grower.graph().type(operand);
  Shape begin;
  Shape shape;
  for (const Dim& dim : type.shape) {
    begin.emplace_back(random.between(-1, 3));
    shape.push_back(dim.is_constant() ? ir::max(dim + begin.back() + random.between(-1, 2), 0)
                                      : dim + random.between(0, 3));
  }
  const ir::Literal outside = ir::make_literal(type.dtype, random.pick(random_constants()));
  return grower.add(Op::Pad, {operand},
                    {{AttributeName::Begin, begin},
                     {AttributeName::Shape, shape},
                     {AttributeName::Outside, outside}});
}

std::optional<Value> grow_gather(GraphGrower& grower, Value operand) {
  Random& random = grower.random();
  const Shape source = grower.graph().type(operand).shape;
  const Shape shape = random.chance(0.5) ? source : grower.draw_shape();
  std::vector<Value> operands{operand};
  for (std::size_t d = 0; d < source.size(); ++d) {
    if (shape.empty() || random.chance(0.4)) {
      operands.push_back(grower.make_operand({DType::I64, shape}));
      continue;
    }
    const auto index = grow_known_index(grower, shape);
    if (!index) return std::nullopt;
    operands.push_back(*index);
  }
  return grower.add(Op::Gather, operands, {});
}

}  // namespace sinter::tests
