// Layouts become axes, options attributes.
#include "dsl/pool_attributes.h"

#include "support/check.h"
#include "support/counted.h"

namespace sinter::dsl {

using ir::AttributeName;

std::vector<std::int64_t> sliding_axes(ir::Op op, const Operand& a, std::size_t count,
                                       const std::string& layout) {
  const std::string name(ir::to_string(op));
  const Tensor& tensor = tensor_of(op, a);
  if (layout != "nchw" && layout != "nhwc") {
    support::throw_user_at(a.location(), "{}: layout '{}' is none of nchw, nhwc", name, layout);
  }
  const std::size_t after = layout == "nhwc" ? 1 : 0;
  const auto rank = static_cast<std::size_t>(tensor.rank());
  if (count == 0 || count + after > rank) {
    support::throw_user_at(
        a.location(), "{} over {} of a tensor of rank {} in layout {}; 1 to {} are needed", name,
        support::counted(count, "dimension"), rank, layout, rank - std::min(rank, after));
  }
  std::vector<std::int64_t> axes;
  for (std::size_t d = rank - after - count; d < rank - after; ++d) {
    axes.push_back(static_cast<std::int64_t>(d));
  }
  return axes;
}

ir::Attributes pool_attributes(ir::Op op, const Operand& a, const std::vector<std::int64_t>& window,
                               const PoolOptions& options) {
  ir::Attributes attributes;
  const auto list = [&](const std::vector<std::int64_t>& given, std::int64_t fallback,
                        const char* name) {
    return expand_list(given, window.size(), fallback, name, a);
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
  return attributes;
}

}  // namespace sinter::dsl
