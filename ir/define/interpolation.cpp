// Sampling between elements. Places are computed in integers, so that no rounding moves them.
#include "ir/define/window.h"

namespace sinter::ir {

namespace {

/// Where a result lies among the elements: `index`, and a share of the way to the next.
struct Place {
  Expr index;  // i64[extent]
  Expr share;  // [extent], in [0, 1)
};

/// Numerators and denominators stay whole: place = numerator / denominator. Without align_corners
/// the centres of elements are halves: result p of m lies at (2 p + 1) n / (2 m) - 1/2.
Place place_of(const Call& call, const Dim& n, const Dim& extent, bool starts_at_first) {
  const Expr& like = call[0];
  const Expr p = index_along(like, 0, extent, 1);
  const Expr from = size(like, n, DType::I64);
  const Expr to = size(like, extent, DType::I64);
  const bool align = call.flag(AttributeName::AlignCorners);
  const Expr centre = (p * 2 + 1) * from - to;
  const Expr unaligned = starts_at_first ? maximum(centre, 0) : centre;
  const Expr numerator = align ? p * (from - 1) : unaligned;
  const Expr denominator = align ? maximum(to - 1, 1) : to * 2;
  const Expr index = floor_div(numerator, denominator);
  const DType dtype = like.dtype();
  return {index, cast(numerator - index * denominator, dtype) / cast(denominator, dtype)};
}

/// Elements of dimension `axis` beside each place, the outermost ones repeated, times a weight.
Expr weighted(const Expr& a, std::int64_t axis, const Expr& index, const Expr& weight) {
  const Expr last = size(a, a.extent(axis), DType::I64) - 1;
  Shape shape(a.rank(), Dim(1));
  shape[static_cast<std::size_t>(axis)] = weight.extent(0);
  return take(a, axis, minimum(maximum(index, 0), last)) * reshape(weight, shape);
}

Expr sample_nearest(const Expr& a, std::int64_t axis, const Dim& extent) {
  const Expr source = index_along(a, 0, extent, 1) * size(a, a.extent(axis), DType::I64);
  return take(a, axis, floor_div(source, size(a, extent, DType::I64)));
}

Expr sample_linear(const Call& call, const Expr& a, std::int64_t axis, const Dim& extent) {
  const Place place = place_of(call, a.extent(axis), extent, true);
  return weighted(a, axis, place.index, 1 - place.share) +
         weighted(a, axis, place.index + 1, place.share);
}

/// R. Keys, Cubic Convolution Interpolation for Digital Image Processing (1981), with a = -3/4.
Expr sample_cubic(const Call& call, const Expr& a, std::int64_t axis, const Dim& extent) {
  constexpr double kA = -0.75;
  const Place place = place_of(call, a.extent(axis), extent, false);
  const auto near = [](const Expr& x) { return (x * (kA + 2) - (kA + 3)) * x * x + 1; };
  const auto far = [](const Expr& x) { return ((x * kA - 5 * kA) * x + 8 * kA) * x - 4 * kA; };
  const Expr& t = place.share;
  const Expr weights[] = {far(t + 1), near(t), near(1 - t), far(2 - t)};
  Expr result = weighted(a, axis, place.index - 1, weights[0]);
  for (int k = 1; k < 4; ++k) {
    result = result + weighted(a, axis, place.index + (k - 1), weights[k]);
  }
  return result;
}

}  // namespace

/// One dimension after the other.
template <>
Exprs define<Op::Interpolate>(const Call& call) {
  const Integers axes = call.axes();
  const Shape extents = target_extents(call, axes);
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "nearest");
  if (variant != "nearest" && variant != "linear" && variant != "cubic") {
    call.fail("variant '{}' is none of nearest, linear, cubic", variant);
  }
  if (variant == "nearest" && call.flag(AttributeName::AlignCorners)) {
    call.fail("align_corners is of variants linear and cubic only");
  }
  Expr a = call[0];
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (variant == "nearest") a = sample_nearest(a, axes[d], extents[d]);
    if (variant == "linear") a = sample_linear(call, a, axes[d], extents[d]);
    if (variant == "cubic") a = sample_cubic(call, a, axes[d], extents[d]);
  }
  return {a};
}

}  // namespace sinter::ir
