// Folds over windows: of one extent, or as many as the result has elements; and sampling between
// elements. Indices are computed in integers, so that no rounding moves a window.
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

/// How many elements of each window along dimension d count: those of the operand, or with
/// include_pad those of the padding too, but none beyond it.
Expr count_along(const Call& call, const Windows& windows, std::size_t d, const Dim& places) {
  const std::int64_t axis = windows.axes[d];
  const bool include_pad = call.flag(AttributeName::IncludePad);
  const Expr begin =
      index_along(call[0], axis, places, call[0].rank()) * windows.step[d] - windows.low[d];
  const Dim end = call[0].extent(axis) + (include_pad ? windows.high[d] : 0);
  const Expr until = size(call[0], max(end, 0), DType::I64) - begin;
  const Expr from = number(begin, include_pad ? -static_cast<double>(windows.low[d]) : 0.0) - begin;
  const Expr last = minimum(ceil_div(until, windows.dilation[d]), windows.window[d]);
  const Expr first = maximum(ceil_div(from, windows.dilation[d]), 0);
  return cast(maximum(last - first, 0), call[0].dtype());
}

/// Attribute shape: one extent for each of attribute axes.
Shape target_extents(const Call& call, const Integers& axes) {
  const auto& shape = call.attributes().get<Shape>(AttributeName::Shape);
  if (shape.size() != axes.size()) {
    call.fail("shape {} has {} extents; {} are needed, one for each of axes", to_string(shape),
              shape.size(), axes.size());
  }
  for (const Dim& extent : shape) {
    if (extent.is_constant() && extent.constant() < 1) {
      call.fail("shape {} has an extent below 1", to_string(shape));
    }
  }
  return shape;
}

struct Ranges {
  Expr taken;  // [..., extent, ..., longest]
  Expr inside;
  Expr count;  // of each range, [extent, 1]
};

/// Elements floor(p n / m) to ceil((p + 1) n / m) of a dimension of extent n, for p < m.
Ranges take_ranges(const Expr& a, std::int64_t axis, const Dim& extent) {
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

struct Neighbours {
  Expr low;     // i64[extent]
  Expr high;    // i64[extent]
  Expr weight;  // of the second
};

/// Numerators and denominators stay whole: place = numerator / denominator.
Neighbours neighbours(const Call& call, const Dim& n, const Dim& extent) {
  const Expr& like = call[0];
  const Expr place = index_along(like, 0, extent, 1);
  const Expr from = size(like, n, DType::I64);
  const Expr to = size(like, extent, DType::I64);
  const bool align = call.flag(AttributeName::AlignCorners);
  const Expr numerator = align ? place * (from - 1) : maximum((place * 2 + 1) * from - to, 0);
  const Expr denominator = align ? maximum(to - 1, 1) : to * 2;
  const Expr low = floor_div(numerator, denominator);
  const DType dtype = like.dtype();
  const Expr weight = cast(numerator - low * denominator, dtype) / cast(denominator, dtype);
  return {low, minimum(low + 1, from - 1), weight};
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
    const Ranges ranges = take_ranges(a, axes[d], extents[d]);
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
    const Ranges ranges = take_ranges(a, axes[d], extents[d]);
    a = sum(select(ranges.inside, ranges.taken, 0), {axes[d] + 1});
    Shape shape(a.rank(), Dim(1));
    shape[static_cast<std::size_t>(axes[d])] = extents[d];
    a = a / cast(reshape(ranges.count, shape), a.dtype());
  }
  return {a};
}

template <>
Exprs define<Op::Interpolate>(const Call& call) {
  const Integers axes = call.axes();
  const Shape extents = target_extents(call, axes);
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "nearest");
  if (variant != "nearest" && variant != "linear") {
    call.fail("variant '{}' is none of nearest, linear", variant);
  }
  if (variant == "nearest" && call.flag(AttributeName::AlignCorners)) {
    call.fail("align_corners is of variant linear only");
  }
  Expr a = call[0];
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const Dim n = a.extent(axes[d]);
    if (variant == "nearest") {
      const Expr place = index_along(a, 0, extents[d], 1);
      const Expr source = place * size(a, n, DType::I64);
      a = take(a, axes[d], floor_div(source, size(a, extents[d], DType::I64)));
      continue;
    }
    const Neighbours between = neighbours(call, n, extents[d]);
    Shape shape(a.rank(), Dim(1));
    shape[static_cast<std::size_t>(axes[d])] = extents[d];
    const Expr weight = reshape(between.weight, shape);
    const Expr low = take(a, axes[d], between.low);
    const Expr high = take(a, axes[d], between.high);
    a = low * (1 - weight) + high * weight;
  }
  return {a};
}

}  // namespace sinter::ir
