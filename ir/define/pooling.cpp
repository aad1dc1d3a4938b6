// Folds over windows: of one extent, or as many as the result has elements. Indices are computed in
// integers, so that no rounding moves a window.
#include <limits>

#include "ir/define/window.h"

namespace sinter::ir {

namespace {

Windows pool_windows(const Call& call) {
  return windows_of(call, call.axes(), call.attributes().get<Integers>(AttributeName::Window), 0);
}

/// The dimensions that unfold adds to an operand of this rank.
Integers window_axes(const Call& call, const Windows& windows) {
  Integers axes;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    axes.push_back(static_cast<std::int64_t>(call[0].rank() + d));
  }
  return axes;
}

Literal lowest(DType dtype) { return *identity_of(Op::Maximum, dtype); }

Expr ceil_div(const Expr& a, std::int64_t b) { return floor_div(a + (b - 1), b); }

/// How many elements of each window along dimension d count: those of the operand and, unless
/// include_pad is false, those of the padding, but none beyond it.
Expr count_along(const Call& call, const Windows& windows, std::size_t d, const Dim& places) {
  const std::int64_t axis = windows.axes[d];
  const bool include_pad = call.attributes().get_or<bool>(AttributeName::IncludePad, true);
  const Expr begin =
      index_along(call[0], axis, places, call[0].rank()) * windows.step[d] - windows.low[d];
  const Dim end = call[0].extent(axis) + (include_pad ? windows.high[d] : 0);
  const Expr until = size(call[0], max(end, 0), DType::I64) - begin;
  const Expr from = number(begin, include_pad ? -static_cast<double>(windows.low[d]) : 0.0) - begin;
  const Expr last = minimum(ceil_div(until, windows.dilation[d]), windows.window[d]);
  const Expr first = maximum(ceil_div(from, windows.dilation[d]), 0);
  return cast(maximum(last - first, 0), call[0].dtype());
}

struct TakenRanges {
  Expr taken;  // [..., extent, ..., longest]
  Expr inside;
  Expr count;  // of each range, [extent, 1]
};

/// Elements floor(p n / m) to ceil((p + 1) n / m) of a dimension of extent n, for p < m.
TakenRanges take_ranges(const Expr& a, std::int64_t axis, const Dim& extent) {
  const Dim n = a.extent(axis);
  const Dim longest = floor_div(n + extent - 1, extent) + 1;
  const Expr place = index_along(a, 0, extent, 2);
  const Expr offset = index_along(a, 1, longest, 2);
  const Expr from_size = size(a, n, DType::I64);
  const Expr to_size = size(a, extent, DType::I64);
  const Expr begin = floor_div(place * from_size, to_size);
  const Expr end = floor_div((place + 1) * from_size + to_size - 1, to_size);
  const Expr taken = take(a, axis, begin + offset);
  Shape mask(a.rank() + 1, Dim(1));
  mask[static_cast<std::size_t>(axis)] = extent;
  mask[static_cast<std::size_t>(axis) + 1] = longest;
  const Expr inside = reshape(begin + offset < end, mask);
  return {taken, inside, end - begin};
}

}  // namespace

template <>
Exprs define<Op::MaxPool>(const Call& call) {
  const Windows windows = pool_windows(call);
  const Expr unfolded = unfold_padded(call[0], windows, lowest(call[0].dtype()));
  return {reduce(Op::Max, unfolded, window_axes(call, windows))};
}

template <>
Exprs define<Op::AvgPool>(const Call& call) {
  const Windows windows = pool_windows(call);
  const Expr unfolded = unfold_padded(call[0], windows, make_literal(call[0].dtype(), 0));
  Expr result = sum(unfolded, window_axes(call, windows));
  std::optional<Expr> count;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    const Expr along = count_along(call, windows, d, result.extent(windows.axes[d]));
    count = count ? *count * along : along;
  }
  return {count ? result / *count : result};
}

template <>
Exprs define<Op::LpPool>(const Call& call) {
  const Windows windows = pool_windows(call);
  const Expr unfolded = unfold_padded(call[0], windows, make_literal(call[0].dtype(), 0));
  return {make_node(Op::Norm, {unfolded},
                    {{AttributeName::Axes, window_axes(call, windows)},
                     {AttributeName::Order, call.real(AttributeName::Order, 2)}})};
}

/// One dimension after the other: a range of the result is a product of ranges.
template <>
Exprs define<Op::AdaptiveMaxPool>(const Call& call) {
  const Integers axes = call.axes();
  const Shape extents = target_extents(call, axes);
  Expr a = call[0];
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const TakenRanges ranges = take_ranges(a, axes[d], extents[d]);
    const Expr masked = select(ranges.inside, ranges.taken, constant(a, lowest(a.dtype())));
    a = reduce(Op::Max, masked, {axes[d] + 1});
  }
  return {a};
}

template <>
Exprs define<Op::AdaptiveAvgPool>(const Call& call) {
  const Integers axes = call.axes();
  const Shape extents = target_extents(call, axes);
  Expr a = call[0];
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const TakenRanges ranges = take_ranges(a, axes[d], extents[d]);
    a = sum(select(ranges.inside, ranges.taken, 0), {axes[d] + 1});
    Shape shape(a.rank(), Dim(1));
    shape[static_cast<std::size_t>(axes[d])] = extents[d];
    a = a / cast(reshape(ranges.count, shape), a.dtype());
  }
  return {a};
}

/// Folds with operators that have a reduction of their own take its types.
template <>
Exprs define<Op::WindowReduce>(const Call& call) {
  const Windows windows = pool_windows(call);
  const auto& reducer = call.attributes().get<Reducer>(AttributeName::Reducer);
  const DType dtype = call[0].dtype();
  if (reducer.function && reducer.identity.size() != 1) {
    call.fail("a reducer of one operand is needed; given one of {}", reducer.identity.size());
  }
  std::optional<Literal> identity;
  if (reducer.function) identity = reducer.identity[0];
  if (!reducer.function && reducer.op != Op::None) identity = identity_of(reducer.op, dtype);
  if (!identity || identity->dtype != dtype) {
    call.fail("the reducer has no identity of type {}", to_string(dtype));
  }
  const Expr unfolded = unfold_padded(call[0], windows, *identity);
  const Integers axes = window_axes(call, windows);
  for (const OpInfo& row : all_ops()) {
    const bool is_it = row.op_class == OpClass::Reduction && row.combine != Op::None &&
                       row.combine == reducer.op && !reducer.function;
    if (is_it) return {reduce(row.op, unfolded, axes)};
  }
  return {make_node(Op::Reduce, {unfolded},
                    {{AttributeName::Axes, axes}, {AttributeName::Reducer, reducer}})};
}

}  // namespace sinter::ir
