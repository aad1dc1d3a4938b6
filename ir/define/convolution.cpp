// Convolutions: windows, then one product of all of them with the weight.
#include "ir/define/window.h"

namespace sinter::ir {

namespace {

constexpr const char* kPlaces = "xyz";
constexpr const char* kWindow = "uvw";

/// What the layout and the number of groups make of the operands.
struct Form {
  bool channels_last = false;
  std::size_t spatial = 0;
  std::int64_t groups = 1;
  std::string places;  // labels
  std::string window;

  std::int64_t channel_axis() const {
    return channels_last ? static_cast<std::int64_t>(spatial) + 1 : 1;
  }
  /// The first of the dimensions that slide, or of the window in the weight.
  std::int64_t first_axis() const { return channels_last ? 1 : 2; }
  Integers spatial_axes() const {
    Integers axes;
    for (std::size_t d = 0; d < spatial; ++d) {
      axes.push_back(first_axis() + static_cast<std::int64_t>(d));
    }
    return axes;
  }
  /// Labels of [lead, channels, extents...] in this layout.
  std::string labels(const std::string& lead, const std::string& channels,
                     const std::string& extents) const {
    return lead + (channels_last ? extents + channels : channels + extents);
  }
  std::string group() const { return groups == 1 ? "" : "g"; }
};

Form form_of(const Call& call) {
  call.need_operands(2, 3);
  Form form;
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "nchw");
  if (variant != "nchw" && variant != "nhwc") {
    call.fail("variant '{}' is none of nchw, nhwc", variant);
  }
  form.channels_last = variant == "nhwc";
  const std::size_t rank = call[0].rank();
  if (rank < 3 || rank > 5 || call[1].rank() != rank) {
    call.fail("it needs an operand of rank 3 to 5 and a weight of the same rank; given {} and {}",
              to_string(call.given(0)), to_string(call.given(1)));
  }
  call.need_one_dtype(2);
  form.spatial = rank - 2;
  form.places = std::string(kPlaces).substr(0, form.spatial);
  form.window = std::string(kWindow).substr(0, form.spatial);
  form.groups = call.attributes().get_or<std::int64_t>(AttributeName::Count, 1);
  if (form.groups < 1) call.fail("{} groups; 1 at least is needed", form.groups);
  return form;
}

Windows windows_of(const Call& call, const Form& form) {
  Integers window;
  for (const std::int64_t axis : form.spatial_axes()) {
    const auto extent = call[1].extent(axis).as_constant();
    if (!extent) {
      call.fail("the window must have numbers as extents; the weight is {}",
                to_string(call.given(1)));
    }
    if (*extent < 1) {
      call.fail("dimension {} of the weight {} is a window of extent {}; 1 at least is needed",
                axis, to_string(call.given(1)), *extent);
    }
    window.push_back(*extent);
  }
  return ir::windows_of(call, form.spatial_axes(), std::move(window), 1);
}

/// The extent of a result of conv_transpose. UserError where it is below 0.
Dim transposed_extent(const Call& call, const Windows& windows, std::size_t d) {
  const std::int64_t axis = windows.axes[d];
  const Dim n = call[0].extent(axis);
  const Dim extent = (n - 1) * windows.step[d] + windows.span(d) - windows.low[d] - windows.high[d];
  if (!is_provably_nonnegative(Dim(-1) - extent, {})) return extent;
  call.fail(
      "dimension {} of {} gives the extent ({} - 1) * step {} + {} elements of a window - pad_low "
      "{} "
      "- pad_high {} = {}; 0 at least is needed",
      axis, to_string(call.given(0)), to_string(n), windows.step[d], windows.span(d),
      windows.low[d], windows.high[d], to_string(extent));
}

/// UserError unless x may have `needed` channels.
void check_channels(const Call& call, const Form& form, const Dim& needed) {
  const Dim channels = call[0].extent(form.channel_axis());
  if (!is_provably_different(channels, needed)) return;
  call.fail("the operand has {} channels, the weight needs {} in {} group{}; given {} and {}",
            to_string(channels), to_string(needed), form.groups, form.groups == 1 ? "" : "s",
            to_string(call.given(0)), to_string(call.given(1)));
}

/// UserError unless dimension 0 of the weight may have as many parts.
void check_groups(const Call& call, const Form& form) {
  const Dim extent = call[1].extent(0);
  if (!is_provably_different(extent, floor_div(extent, form.groups) * form.groups)) return;
  call.fail("dimension 0 of the weight {} is no multiple of {} groups", to_string(call.given(1)),
            form.groups);
}

/// The dimension as [groups, part]; which of them is checked in each call where it is not known.
Expr split(const Expr& a, std::int64_t axis, std::int64_t groups, const Dim& part) {
  Shape shape = a.shape();
  shape.at(static_cast<std::size_t>(axis)) = part;
  if (groups > 1) shape.insert(shape.begin() + axis, Dim(groups));
  return a.shape() == shape ? a : reshape(a, shape);
}

/// The groups' channels as one dimension, then the bias.
Expr finish(const Call& call, const Form& form, const Expr& product) {
  Shape shape = product.shape();
  const std::int64_t axis = form.channel_axis();
  if (form.groups > 1) {
    shape.erase(shape.begin() + axis);
    shape[static_cast<std::size_t>(axis)] = product.extent(axis + 1) * form.groups;
  }
  const Expr result = reshape(product, shape);
  if (call.size() < 3) return result;
  const Expr& bias = call[2];
  if (bias.rank() != 1 || is_provably_different(bias.extent(0), result.extent(axis)) ||
      bias.dtype() != result.dtype()) {
    const DType dtype = is_float(call.dtype()) ? call.dtype() : result.dtype();
    call.fail("the bias must be {}[{}]; given {}", to_string(dtype), to_string(result.extent(axis)),
              to_string(call.given(2)));
  }
  Shape bias_shape(result.rank(), Dim(1));
  bias_shape[static_cast<std::size_t>(axis)] = result.extent(axis);
  return result + reshape(bias, bias_shape);
}

Literal zero_of(const Expr& a) { return make_literal(a.dtype(), 0); }

}  // namespace

template <>
Exprs define<Op::Conv>(const Call& call) {
  const Form form = form_of(call);
  const Windows windows = windows_of(call, form);
  const std::int64_t channel_axis = form.channel_axis();
  check_channels(call, form, call[1].extent(channel_axis) * form.groups);
  check_groups(call, form);
  const Expr padded = unfold_padded(call[0], windows, zero_of(call[0]));
  const Expr x = split(padded, channel_axis, form.groups, call[1].extent(channel_axis));
  const Dim out = floor_div(call[1].extent(0), form.groups);
  const Expr weight = split(call[1], 0, form.groups, out);
  const std::string g = form.group();
  const std::string equation = form.labels("n", g + "c", form.places) + form.window + "," +
                               form.labels(g + "o", "c", form.window) + "->" +
                               form.labels("n", g + "o", form.places);
  return {finish(call, form, einsum(equation, x, weight))};
}

/// The gradient of conv with respect to x: a convolution of x, spread by step, with the mirrored
/// weight. V. Dumoulin and F. Visin, A guide to convolution arithmetic for deep learning (2016).
template <>
Exprs define<Op::ConvTranspose>(const Call& call) {
  const Form form = form_of(call);
  Windows windows = windows_of(call, form);
  check_groups(call, form);
  check_channels(call, form, call[1].extent(0));
  Expr x = call[0];
  Expr weight = call[1];
  Shape begin(x.rank(), Dim(0));
  Shape shape = x.shape();
  for (std::size_t d = 0; d < windows.size(); ++d) {
    const std::int64_t axis = windows.axes[d];
    const std::int64_t reach = windows.span(d) - 1;
    const auto at = static_cast<std::size_t>(axis);
    shape[at] = transposed_extent(call, windows, d) + reach;
    begin[at] = reach - windows.low[d];
    x = spread(x, axis, windows.step[d]);
    const std::int64_t extent = windows.window[d];
    if (extent > 1) weight = slice(weight, axis, extent - 1, extent, -1);
    windows.step[d] = 1;
  }
  x = unfold(pad(x, begin, shape, 0), windows);
  const Dim part = floor_div(weight.extent(0), form.groups);
  x = split(x, form.channel_axis(), form.groups, part);
  weight = split(weight, 0, form.groups, part);
  const std::string g = form.group();
  const std::string equation = form.labels("n", g + "c", form.places) + form.window + "," +
                               form.labels(g + "c", "o", form.window) + "->" +
                               form.labels("n", g + "o", form.places);
  return {finish(call, form, einsum(equation, x, weight))};
}

}  // namespace sinter::ir
