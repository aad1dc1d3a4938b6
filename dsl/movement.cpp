// Padding, joining and other movement.
#include "sinter/movement.h"

#include "dsl/composite.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::operand_at;
using dsl::shape_of;
using dsl::to_value;
using ir::AttributeName;
using ir::Attributes;
using ir::Op;

/// Attributes shape and begin of a padded operand.
Attributes widths_of(const Operand& a, const std::vector<PadWidth>& widths, const char* function) {
  const Tensor& tensor = dsl::require_tensor(a, function);
  ir::Shape shape = shape_of(tensor);
  if (widths.size() != shape.size()) {
    support::throw_user_at(a.location(), "{} of a tensor of rank {} needs as many widths; given {}",
                           function, shape.size(), widths.size());
  }
  ir::Shape begin;
  for (std::size_t d = 0; d < widths.size(); ++d) {
    begin.push_back(widths[d].before.expr());
    shape[d] = shape[d] + widths[d].before.expr() + widths[d].after.expr();
  }
  return {{AttributeName::Shape, std::move(shape)}, {AttributeName::Begin, std::move(begin)}};
}

Tensor extend(const Operand& a, const std::vector<PadWidth>& widths, const char* function,
              const std::string& variant) {
  Attributes attributes = widths_of(a, widths, function);
  if (widths.empty()) return *a.tensor();
  attributes.set(AttributeName::Variant, variant);
  return dsl::add_composite(Op::Extend, {&a}, std::move(attributes));
}

Tensor join(Op op, const std::vector<Tensor>& tensors, int axis, int new_dimensions,
            const SourceLocation& location) {
  if (tensors.empty()) {
    support::throw_user_at(location, "{} of no tensor; one is needed at least", to_string(op));
  }
  const Operand first = operand_at(tensors[0], location);
  std::vector<ir::Value> values;
  for (const Tensor& tensor : tensors) {
    const Operand other = operand_at(tensor, location);
    dsl::trace_of({&first, &other});
    values.push_back(to_value(tensor));
  }
  const std::int64_t d = new_dimensions == 0
                             ? dsl::normalize_axis(axis, tensors[0].rank(), location)
                             : dsl::normalize_new_axis(axis, tensors[0].rank(), location);
  return dsl::add_node(tensors[0].trace(), op, std::move(values), {{AttributeName::Axis, d}},
                       location);
}

}  // namespace

Tensor pad(const Operand& a, const std::vector<PadWidth>& widths, const Operand& value) {
  Attributes attributes = widths_of(a, widths, "pad");
  const Tensor& tensor = *a.tensor();
  attributes.set(AttributeName::Outside, dsl::literal_of(value, tensor.dtype(), "pad"));
  return dsl::add_node(tensor.trace(), Op::Pad, {to_value(tensor)}, std::move(attributes),
                       a.location());
}

Tensor pad_reflect(const Operand& a, const std::vector<PadWidth>& widths) {
  return extend(a, widths, "pad_reflect", "reflect");
}
Tensor pad_replicate(const Operand& a, const std::vector<PadWidth>& widths) {
  return extend(a, widths, "pad_replicate", "replicate");
}
Tensor pad_circular(const Operand& a, const std::vector<PadWidth>& widths) {
  return extend(a, widths, "pad_circular", "circular");
}

Tensor concat(const std::vector<Tensor>& tensors, int axis, const char* file, int line) {
  return join(Op::Concat, tensors, axis, 0, {file, line});
}
Tensor stack(const std::vector<Tensor>& tensors, int axis, const char* file, int line) {
  return join(Op::Stack, tensors, axis, 1, {file, line});
}

Tensor roll(const Operand& a, std::int64_t offset, int axis) {
  const Tensor& tensor = dsl::require_tensor(a, "roll");
  return dsl::add_composite(
      Op::Roll, {&a},
      {{AttributeName::Axis, dsl::normalize_axis(axis, tensor.rank(), a.location())},
       {AttributeName::Offset, offset}});
}
Tensor tril(const Operand& a, std::int64_t offset) {
  dsl::require_tensor(a, "tril");
  return dsl::add_composite(Op::Tril, {&a}, {{AttributeName::Offset, offset}});
}
Tensor triu(const Operand& a, std::int64_t offset) {
  dsl::require_tensor(a, "triu");
  return dsl::add_composite(Op::Triu, {&a}, {{AttributeName::Offset, offset}});
}

Tensor causal_mask(const Dim& rows, const Dim& columns, const Dim& offset, const char* file,
                   int line) {
  const auto operand = [&](const Tensor& tensor) { return Operand(tensor, file, line); };
  const std::vector<Dim> shape{rows, columns};
  const Tensor row = iota(DType::I64, shape, 0, file, line);
  const Tensor column = iota(DType::I64, shape, 1, file, line);
  const Tensor last = operand(row) + operand(size(offset, DType::I64, file, line));
  return operand(column) <= operand(last);
}

}  // namespace sinter
