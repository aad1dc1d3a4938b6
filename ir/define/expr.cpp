// Each function appends one node, or the few views that it needs.
#include "ir/define/expr.h"

#include "ir/broadcast.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

Expr make(const Expr& like, Value value) { return {like.graph(), value, like.location()}; }

Value add(Op op, const Exprs& operands, Attributes attributes) {
  support::check(!operands.empty(), "{} of no expression", to_string(op));
  Graph& graph = operands[0].graph();
  const SourceLocation& location = operands[0].location();
  std::vector<Value> values;
  for (const Expr& operand : operands) values.push_back(operand.value());
  if (is_pointwise(op)) {
    Shape shape;
    for (const Expr& operand : operands) shape = broadcast_shapes(shape, operand.shape(), location);
    for (Value& value : values) value = broadcast_value(graph, value, shape, location);
  }
  return graph.add(op, std::move(values), std::move(attributes), location);
}

}  // namespace

Expr make_node(Op op, const Exprs& operands, Attributes attributes) {
  return make(operands.at(0), add(op, operands, std::move(attributes)));
}

Exprs make_nodes(Op op, const Exprs& operands, Attributes attributes) {
  const Value first = add(op, operands, std::move(attributes));
  Exprs results;
  const auto count = static_cast<std::uint32_t>(operands[0].graph().node(first).results.size());
  for (std::uint32_t r = 0; r < count; ++r) results.push_back(make(operands[0], {first.node, r}));
  return results;
}

Expr constant(const Expr& like, Literal literal) {
  return make(like, like.graph().add_constant(literal, like.location()));
}

Expr number(const Expr& like, double value) {
  return constant(like, make_literal(like.dtype(), value));
}

Expr select(const Expr& condition, const Expr& b, const ExprOrNumber& c) {
  return make_node(Op::Select, {condition, b, c.beside(b)});
}

Expr cast(const Expr& a, DType dtype) {
  return a.dtype() == dtype ? a : make_node(Op::Cast, {a}, {{AttributeName::DType, dtype}});
}

Expr bitcast(const Expr& a, DType dtype) {
  return make_node(Op::Bitcast, {a}, {{AttributeName::DType, dtype}});
}

Expr broadcast_to(const Expr& a, const Shape& shape) {
  return make(a, broadcast_value(a.graph(), a.value(), shape, a.location()));
}

Expr reshape(const Expr& a, const Shape& shape) {
  return a.shape() == shape ? a : make_node(Op::Reshape, {a}, {{AttributeName::Shape, shape}});
}

Expr permute(const Expr& a, const Integers& axes) {
  return make_node(Op::Permute, {a}, {{AttributeName::Axes, axes}});
}

Expr unsqueeze(const Expr& a, std::int64_t axis) {
  Shape shape = a.shape();
  shape.insert(shape.begin() + axis, Dim(1));
  return reshape(a, shape);
}

Expr slice(const Expr& a, std::int64_t axis, const Dim& begin, const Dim& extent,
           std::int64_t step) {
  const auto d = static_cast<std::size_t>(axis);
  Shape begins(a.rank(), Dim(0));
  Shape shape = a.shape();
  Integers steps(a.rank(), 1);
  begins.at(d) = begin;
  shape.at(d) = extent;
  steps.at(d) = step;
  return make_node(Op::Slice, {a},
                   {{AttributeName::Begin, begins},
                    {AttributeName::Shape, shape},
                    {AttributeName::Step, steps}});
}

Expr pad(const Expr& a, const Shape& begin, const Shape& shape, double outside) {
  return make_node(Op::Pad, {a},
                   {{AttributeName::Begin, begin},
                    {AttributeName::Shape, shape},
                    {AttributeName::Outside, make_literal(a.dtype(), outside)}});
}

Expr gather(const Expr& a, const Exprs& indices) {
  Shape shape;
  for (const Expr& index : indices) shape = broadcast_shapes(shape, index.shape(), a.location());
  Exprs operands{a};
  for (const Expr& index : indices)
    operands.push_back(broadcast_to(cast(index, DType::I64), shape));
  return make_node(Op::Gather, operands);
}

Expr keep_axes(const Expr& reduced, const Expr& operand, const Integers& axes) {
  Shape shape = operand.shape();
  for (const std::int64_t axis : axes) shape.at(static_cast<std::size_t>(axis)) = Dim(1);
  return reshape(reduced, shape);
}

Expr reduce(Op op, const Expr& a, const Integers& axes, Keep keep) {
  const Expr result = make_node(op, {a}, {{AttributeName::Axes, axes}});
  return keep == Keep::Yes ? keep_axes(result, a, axes) : result;
}

Expr einsum(const std::string& equation, const Expr& a, const Expr& b, Precision precision) {
  return make_node(Op::Einsum, {a, b},
                   {{AttributeName::Equation, equation}, {AttributeName::Precision, precision}});
}

Expr iota(const Expr& like, const Shape& shape, std::int64_t axis, DType dtype) {
  return make(like, like.graph().add(Op::Iota, {},
                                     {{AttributeName::DType, dtype},
                                      {AttributeName::Shape, shape},
                                      {AttributeName::Axis, axis}},
                                     like.location()));
}

Expr size(const Expr& like, const Dim& dim, DType dtype) {
  const Value value =
      like.graph().add(Op::Size, {}, {{AttributeName::Shape, Shape{dim}}}, like.location());
  return cast(make(like, value), dtype);
}

Dim element_count(const Expr& a, const Integers& axes) {
  Dim count = 1;
  for (const std::int64_t axis : axes) count = count * a.extent(axis);
  return count;
}

}  // namespace sinter::ir
