// Layouts become axes, options attributes.
#include "sinter/pooling.h"

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;

/// The `count` dimensions that slide in this layout.
std::vector<std::int64_t> sliding_axes(Op op, const Operand& a, std::size_t count,
                                       const std::string& layout) {
  const std::string name(ir::to_string(op));
  const Tensor& tensor = dsl::require_tensor(a, name.c_str());
  if (layout != "nchw" && layout != "nhwc") {
    support::throw_user_at(a.location(), "{}: layout '{}' is none of nchw, nhwc", name, layout);
  }
  const std::size_t after = layout == "nhwc" ? 1 : 0;
  const auto rank = static_cast<std::size_t>(tensor.rank());
  if (count == 0 || count + after > rank) {
    support::throw_user_at(a.location(),
                           "{} over {} dimensions of a tensor of rank {} in layout {}; 1 to {} are "
                           "needed",
                           name, count, rank, layout, rank - std::min(rank, after));
  }
  std::vector<std::int64_t> axes;
  for (std::size_t d = rank - after - count; d < rank - after; ++d) {
    axes.push_back(static_cast<std::int64_t>(d));
  }
  return axes;
}

Tensor pool(Op op, const Operand& a, const std::vector<std::int64_t>& window,
            const PoolOptions& options, Attributes attributes = {}) {
  const auto list = [&](const std::vector<std::int64_t>& given, std::int64_t fallback,
                        const char* name) {
    return dsl::expand_list(given, window.size(), fallback, name, a);
  };
  attributes.set(AttributeName::Axes, sliding_axes(op, a, window.size(), options.layout));
  attributes.set(AttributeName::Window, window);
  attributes.set(AttributeName::Step,
                 options.stride.empty() ? window : list(options.stride, 1, "stride"));
  attributes.set(AttributeName::Dilation, list(options.dilation, 1, "dilation"));
  attributes.set(AttributeName::PadLow, list(options.padding, 0, "padding"));
  attributes.set(AttributeName::PadHigh,
                 list(options.padding_high.value_or(options.padding), 0, "padding_high"));
  if (options.ceil_mode) attributes.set(AttributeName::CeilMode, true);
  return dsl::add_composite(op, a, {}, std::move(attributes));
}

Tensor resize(Op op, const Operand& a, const std::vector<Dim>& extents, const std::string& layout,
              Attributes attributes = {}) {
  attributes.set(AttributeName::Axes, sliding_axes(op, a, extents.size(), layout));
  attributes.set(AttributeName::Shape, dsl::to_shape(extents));
  return dsl::add_composite(op, a, {}, std::move(attributes));
}

}  // namespace

Tensor max_pool(const Operand& a, const std::vector<std::int64_t>& window,
                const PoolOptions& options) {
  return pool(Op::MaxPool, a, window, options);
}

Tensor avg_pool(const Operand& a, const std::vector<std::int64_t>& window,
                const PoolOptions& options) {
  Attributes attributes;
  if (options.include_pad) attributes.set(AttributeName::IncludePad, true);
  return pool(Op::AvgPool, a, window, options, std::move(attributes));
}

Tensor lp_pool(const Operand& a, const std::vector<std::int64_t>& window, double order,
               const PoolOptions& options) {
  return pool(Op::LpPool, a, window, options, {{AttributeName::Order, order}});
}

Tensor adaptive_max_pool(const Operand& a, const std::vector<Dim>& extents,
                         const std::string& layout) {
  return resize(Op::AdaptiveMaxPool, a, extents, layout);
}

Tensor adaptive_avg_pool(const Operand& a, const std::vector<Dim>& extents,
                         const std::string& layout) {
  return resize(Op::AdaptiveAvgPool, a, extents, layout);
}

Tensor interpolate(const Operand& a, const std::vector<Dim>& extents,
                   const InterpolateOptions& options) {
  Attributes attributes{{AttributeName::Variant, options.variant}};
  if (options.align_corners) attributes.set(AttributeName::AlignCorners, true);
  return resize(Op::Interpolate, a, extents, options.layout, std::move(attributes));
}

}  // namespace sinter
