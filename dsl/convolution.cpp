// Options become attributes.
#include "sinter/convolution.h"

#include <algorithm>

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Op;

Tensor add_convolution(Op op, const Operand& x, const Tensor& weight, const ConvOptions& options) {
  const int rank = dsl::require_tensor(x, std::string(ir::to_string(op)).c_str()).rank();
  const auto spatial = static_cast<std::size_t>(std::max(rank - 2, 0));
  const auto list = [&](const std::vector<std::int64_t>& given, std::int64_t fallback,
                        const char* name) {
    return dsl::expand_list(given, spatial, fallback, name, x);
  };
  std::vector<std::int64_t> high =
      list(options.padding_high.value_or(options.padding), 0, "padding_high");
  const std::vector<std::int64_t> output = list(options.output_padding, 0, "output_padding");
  for (std::size_t d = 0; d < spatial; ++d) high[d] -= output[d];
  std::vector<Tensor> others{weight};
  if (options.bias) others.push_back(*options.bias);
  return dsl::add_composite(op, x, others,
                            {{AttributeName::Step, list(options.stride, 1, "stride")},
                             {AttributeName::Dilation, list(options.dilation, 1, "dilation")},
                             {AttributeName::PadLow, list(options.padding, 0, "padding")},
                             {AttributeName::PadHigh, high},
                             {AttributeName::Count, std::int64_t{options.groups}},
                             {AttributeName::Variant, options.layout}});
}

}  // namespace

Tensor conv(const Operand& x, const Tensor& weight, const ConvOptions& options) {
  if (!options.output_padding.empty()) {
    support::throw_user_at(x.location(), "conv has no output_padding; conv_transpose has");
  }
  return add_convolution(Op::Conv, x, weight, options);
}

Tensor conv_transpose(const Operand& x, const Tensor& weight, const ConvOptions& options) {
  return add_convolution(Op::ConvTranspose, x, weight, options);
}

}  // namespace sinter
