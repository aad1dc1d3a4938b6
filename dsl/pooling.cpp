// Each call appends one composite.
#include "sinter/pooling.h"

#include "dsl/pool_attributes.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;

Tensor pool(Op op, const Operand& a, const std::vector<std::int64_t>& window,
            const PoolOptions& options, const Attributes& more = {}) {
  Attributes attributes = dsl::pool_attributes(op, a, window, options);
  for (const ir::Attribute& attribute : more.list()) {
    attributes.set(attribute.name, attribute.value);
  }
  return dsl::add_composite(op, a, {}, std::move(attributes));
}

Tensor resize(Op op, const Operand& a, const std::vector<Dim>& extents, const std::string& layout,
              Attributes attributes = {}) {
  attributes.set(AttributeName::Axes, dsl::sliding_axes(op, a, extents.size(), layout));
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
  if (!options.include_pad) attributes.set(AttributeName::IncludePad, false);
  return pool(Op::AvgPool, a, window, options, attributes);
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
