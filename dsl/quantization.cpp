// Scale and zero point become operands.
#include "sinter/quantization.h"

#include "dsl/composite.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Op;

Tensor convert(Op op, const Operand& a, const Tensor& scale, DType dtype,
               const QuantizeOptions& options) {
  ir::Attributes attributes{{AttributeName::DType, dtype}};
  if (options.axis) attributes.set(AttributeName::Axis, dsl::axis_of(op, a, *options.axis));
  if (options.group) attributes.set(AttributeName::Group, *options.group);
  if (options.bits) attributes.set(AttributeName::Bits, std::int64_t{*options.bits});
  std::vector<Tensor> others{scale};
  if (options.zero_point) others.push_back(*options.zero_point);
  return dsl::add_composite(op, a, others, std::move(attributes));
}

}  // namespace

Tensor quantize(const Operand& a, const Tensor& scale, DType dtype,
                const QuantizeOptions& options) {
  return convert(Op::Quantize, a, scale, dtype, options);
}

Tensor quantize(const Operand& a, const Tensor& scale, DType dtype,
                const std::optional<Tensor>& zero_point, std::optional<int> axis) {
  return convert(Op::Quantize, a, scale, dtype, {.zero_point = zero_point, .axis = axis});
}

Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype,
                  const QuantizeOptions& options) {
  return convert(Op::Dequantize, a, scale, dtype, options);
}

Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype,
                  const std::optional<Tensor>& zero_point, std::optional<int> axis) {
  return convert(Op::Dequantize, a, scale, dtype, {.zero_point = zero_point, .axis = axis});
}

Tensor pack4(const Operand& a, int axis) { return dsl::add_along(Op::Pack4, {&a}, axis); }

Tensor unpack4(const Operand& a, bool is_signed, int axis) {
  return dsl::add_along(Op::Unpack4, {&a}, axis,
                        {{AttributeName::Variant, std::string(is_signed ? "signed" : "unsigned")}});
}

}  // namespace sinter
