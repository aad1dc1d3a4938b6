// Seeds are operands, so that another one compiles nothing.
#include "sinter/random.h"

#include "dsl/composite.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Op;

Tensor draw(Op op, const Operand& seed, const std::vector<Dim>& shape,
            const std::optional<Tensor>& stream) {
  std::vector<Tensor> others;
  if (stream) others.push_back(*stream);
  return dsl::add_composite(op, seed, others, {{AttributeName::Shape, dsl::to_shape(shape)}});
}

}  // namespace

std::array<Tensor, 4> philox(const Operand& counter_low, const Tensor& counter_high,
                             const Tensor& key) {
  const Tensor first = dsl::add_composite(Op::Philox, counter_low, {counter_high, key});
  return {first, dsl::result_of(first, 1), dsl::result_of(first, 2), dsl::result_of(first, 3)};
}

Tensor random_uniform(const Operand& seed, const std::vector<Dim>& shape,
                      const std::optional<Tensor>& stream) {
  return draw(Op::RandomUniform, seed, shape, stream);
}

Tensor random_normal(const Operand& seed, const std::vector<Dim>& shape,
                     const std::optional<Tensor>& stream) {
  return draw(Op::RandomNormal, seed, shape, stream);
}

Tensor dropout(const Operand& a, double rate, const Tensor& seed,
               const std::optional<Tensor>& stream) {
  std::vector<Tensor> others{seed};
  if (stream) others.push_back(*stream);
  return dsl::add_composite(Op::Dropout, a, others, {{AttributeName::Alpha, rate}});
}

}  // namespace sinter
