// Scale and zero point become operands.
#include "sinter/quantization.h"

#include "dsl/composite.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Op;

Tensor convert(Op op, const Operand& a, const Tensor& scale, DType dtype,
               const std::optional<Tensor>& zero_point, std::optional<int> axis) {
  ir::Attributes attributes{{AttributeName::DType, dtype}};
  const Tensor& tensor = dsl::require_tensor(a, std::string(ir::to_string(op)).c_str());
  if (axis) {
    attributes.set(AttributeName::Axis, dsl::normalize_axis(*axis, tensor.rank(), a.location()));
  }
  std::vector<Tensor> others{scale};
  if (zero_point) others.push_back(*zero_point);
  return dsl::add_composite(op, a, others, std::move(attributes));
}

}  // namespace

Tensor quantize(const Operand& a, const Tensor& scale, DType dtype,
                const std::optional<Tensor>& zero_point, std::optional<int> axis) {
  return convert(Op::Quantize, a, scale, dtype, zero_point, axis);
}

Tensor dequantize(const Operand& a, const Tensor& scale, DType dtype,
                  const std::optional<Tensor>& zero_point, std::optional<int> axis) {
  return convert(Op::Dequantize, a, scale, dtype, zero_point, axis);
}

}  // namespace sinter
