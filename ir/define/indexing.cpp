// Reads and writes at indices that are data.
#include "ir/broadcast.h"
#include "ir/define/composite.h"
#include "ir/define/indices.h"

namespace sinter::ir {

namespace {

/// The operands of a scatter with equal dimensions written as one.
struct Updates {
  Expr target;   // [.., n, ..]
  Expr index;    // [.., m, ..], i64
  Expr updates;  // [.., m, ..]
  std::int64_t axis;
};

Updates updates_of(const Call& call) {
  call.need_integers(1);
  call.need_one_dtype(1);
  const std::int64_t axis = call.axis();
  const Expr& target = call[0];
  Shape shape = broadcast_shapes(call[1].shape(), call[2].shape(), call.location());
  bool fits = shape.size() == target.rank() && call[2].rank() == target.rank();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) {
    if (static_cast<std::int64_t>(d) == axis) continue;
    const auto dim = unify_dims(target.shape()[d], shape[d]);
    fits = dim.has_value();
    if (dim) shape[d] = *dim;
  }
  if (!fits) {
    call.fail("updates with the dimensions of {} but for axis {} are needed; given {}",
              to_string(call.given(0)), axis, to_string(call.given(2)));
  }
  return {broadcast_to(target, with_extent(shape, axis, target.extent(axis))),
          broadcast_to(cast(call[1], DType::I64), shape), broadcast_to(call[2], shape), axis};
}

/// Whether update i goes to place p: [.., p, i, ..].
struct Hits {
  Shape shape;
  Expr hit;
};

Hits hits_of(const Updates& u) {
  const Shape shape = with_dimension(u.target.shape(), u.axis + 1, u.index.extent(u.axis));
  return {shape, equal(iota(u.target, shape, u.axis), unsqueeze(u.index, u.axis))};
}

/// As the operands of a scatter: one index a slice.
Exprs spread_index(const Call& call) {
  const std::int64_t axis = call.axis();
  if (call[1].rank() != 1) {
    call.fail("one index a slice is needed; given {}", to_string(call.given(1)));
  }
  if (call[2].rank() != call[0].rank()) {
    call.fail("updates with the dimensions of {} but for axis {} are needed; given {}",
              to_string(call.given(0)), axis, to_string(call.given(2)));
  }
  Shape shape(call[0].rank(), Dim(1));
  shape.at(static_cast<std::size_t>(axis)) = call[1].extent(0);
  return {call[0], reshape(call[1], shape), call[2]};
}

}  // namespace

template <>
Exprs define<Op::Take>(const Call& call) {
  call.need_integers(1);
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  const Shape& places = call[1].shape();
  const auto count = static_cast<std::int64_t>(places.size());
  Shape shape = a.shape();
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, places.begin(), places.end());
  Shape spread = places;
  spread.resize(shape.size() - static_cast<std::size_t>(axis), Dim(1));
  Exprs indices;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(a.rank()); ++d) {
    indices.push_back(d == axis ? broadcast_to(reshape(cast(call[1], DType::I64), spread), shape)
                                : iota(a, shape, d < axis ? d : d - 1 + count));
  }
  return {gather(a, indices)};
}

template <>
Exprs define<Op::TakeAlongAxis>(const Call& call) {
  call.need_integers(1);
  const Expr& a = call[0];
  const Expr& index = call[1];
  const std::int64_t axis = call.axis();
  if (index.rank() != a.rank()) {
    call.fail("indices of rank {} are needed; given {}", a.rank(), to_string(call.given(1)));
  }
  const Shape beside = broadcast_shapes(with_extent(a.shape(), axis, 1),
                                        with_extent(index.shape(), axis, 1), call.location());
  const Expr source = broadcast_to(a, with_extent(beside, axis, a.extent(axis)));
  return {gather_along(source, axis, index, with_extent(beside, axis, index.extent(axis)))};
}

template <>
Exprs define<Op::OneHot>(const Call& call) {
  const Expr& a = call[0];
  const auto count = call.attributes().get<std::int64_t>(AttributeName::Count);
  if (count < 0) call.fail("count {} is negative", count);
  const auto last = static_cast<std::int64_t>(a.rank());
  const Expr place = iota(a, with_dimension(a.shape(), last, count), last);
  const Expr hit = equal(place, unsqueeze(cast(a, DType::I64), last));
  return {cast(hit, call.attributes().get_or<DType>(AttributeName::DType, DType::I64))};
}

template <>
Exprs define<Op::Scatter>(const Call& call) {
  const Updates u = updates_of(call);
  const Hits hits = hits_of(u);
  const Expr number = iota(u.target, hits.shape, u.axis + 1);
  const Expr last = reduce(Op::Max, select(hits.hit, number, -1), {u.axis + 1});
  const Expr update = gather_along(u.updates, u.axis, last, u.target.shape());
  return {select(last >= 0, update, u.target)};
}

template <>
Exprs define<Op::ScatterAdd>(const Call& call) {
  const Updates u = updates_of(call);
  const Hits hits = hits_of(u);
  const Expr terms = select(hits.hit, unsqueeze(u.updates, u.axis), 0);
  const Expr total = make_node(
      Op::Sum, {terms},
      {{AttributeName::DType, terms.dtype()}, {AttributeName::Axes, Integers{u.axis + 1}}});
  return {u.target + total};
}

template <>
Exprs define<Op::IndexPut>(const Call& call) {
  return {make_node(Op::Scatter, spread_index(call), {{AttributeName::Axis, call.axis()}})};
}

template <>
Exprs define<Op::IndexAdd>(const Call& call) {
  return {make_node(Op::ScatterAdd, spread_index(call), {{AttributeName::Axis, call.axis()}})};
}

}  // namespace sinter::ir
