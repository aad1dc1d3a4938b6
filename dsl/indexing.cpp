// Indexing and sorting: each call appends one composite.
#include "sinter/indexing.h"

#include "dsl/composite.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;

Tensor sorted_by(Op op, const Operand& a, int axis, bool descending) {
  Attributes attributes;
  if (descending) attributes.set(AttributeName::Descending, true);
  return dsl::add_along(op, {&a}, axis, std::move(attributes));
}

}  // namespace

Tensor take(const Operand& a, const Operand& index, int axis) {
  return dsl::add_along(Op::Take, {&a, &index}, axis);
}
Tensor embedding(const Operand& table, const Operand& index) {
  return dsl::add_along(Op::Take, {&table, &index}, 0);
}
Tensor take_along_axis(const Operand& a, const Operand& index, int axis) {
  return dsl::add_along(Op::TakeAlongAxis, {&a, &index}, axis);
}
Tensor one_hot(const Operand& index, std::int64_t count, DType dtype) {
  dsl::require_tensor(index, "one_hot");
  return dsl::add_composite(Op::OneHot, {&index},
                            {{AttributeName::DType, dtype}, {AttributeName::Count, count}});
}

Tensor scatter(const Operand& a, const Operand& index, const Operand& updates, int axis) {
  return dsl::add_along(Op::Scatter, {&a, &index, &updates}, axis);
}
Tensor scatter_add(const Operand& a, const Operand& index, const Operand& updates, int axis) {
  return dsl::add_along(Op::ScatterAdd, {&a, &index, &updates}, axis);
}
Tensor index_put(const Operand& a, const Operand& index, const Operand& updates, int axis) {
  return dsl::add_along(Op::IndexPut, {&a, &index, &updates}, axis);
}
Tensor index_add(const Operand& a, const Operand& index, const Operand& updates, int axis) {
  return dsl::add_along(Op::IndexAdd, {&a, &index, &updates}, axis);
}

Tensor sort(const Operand& a, int axis, bool descending) {
  return sorted_by(Op::Sort, a, axis, descending);
}
Tensor argsort(const Operand& a, int axis, bool descending) {
  return sorted_by(Op::ArgSort, a, axis, descending);
}
TopK topk(const Operand& a, std::int64_t count, int axis, bool largest) {
  Attributes attributes{{AttributeName::Count, count}};
  if (!largest) attributes.set(AttributeName::Variant, std::string("smallest"));
  const Tensor values = dsl::add_along(Op::TopK, {&a}, axis, std::move(attributes));
  return {values, dsl::result_of(values, 1)};
}
Tensor searchsorted(const Operand& sorted, const Operand& values, bool right) {
  dsl::require_tensor(sorted, "searchsorted");
  dsl::require_tensor(values, "searchsorted");
  Attributes attributes;
  if (right) attributes.set(AttributeName::Variant, std::string("right"));
  return dsl::add_composite(Op::SearchSorted, {&sorted, &values}, std::move(attributes));
}

}  // namespace sinter
