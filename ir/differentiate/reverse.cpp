// What stands around each rule: types and shapes.
#include "ir/differentiate/reverse.h"

#include "support/check.h"

namespace sinter::ir {

Reverse::Reverse(Graph& graph, NodeId node, std::vector<std::optional<Expr>> gradients,
                 std::vector<bool> needed)
    : graph_(&graph),
      id_(node),
      node_(graph.node(node)),
      gradients_(std::move(gradients)),
      needed_(std::move(needed)),
      made_(node_.operands.size()),
      by_definition_(node_.operands.size()) {}

Expr Reverse::wide(Value value) const {
  const Expr expr(*graph_, value, node_.location);
  return cast(expr, compute_dtype(expr.dtype()));
}

Expr Reverse::operator[](std::size_t operand) const { return wide(node_.operands.at(operand)); }

Expr Reverse::result(std::size_t index) const {
  return wide({id_, static_cast<std::uint32_t>(index)});
}

const Shape& Reverse::shape(std::size_t operand) const {
  return graph_->type(node_.operands.at(operand)).shape;
}

Expr Reverse::gradient(std::size_t index) const {
  // What is made from it stands at the line of this node, not of the one that it came from.
  if (gradients_.at(index)) return {*graph_, gradients_[index]->value(), node_.location};
  const Expr like = result(index);
  return broadcast_to(number(like, 0), like.shape());
}

void Reverse::add_by_definition(std::size_t operand) {
  by_definition_.at(operand) = needs(operand);
}

void Reverse::set(std::size_t operand, const Expr& gradient) {
  const Type type = graph_->type(node_.operands.at(operand));
  support::check(!made_[operand], "the rule of {} gives operand {} two gradients", to_string(op()),
                 operand);
  made_[operand] = cast(sum_to(gradient, type.shape), compute_dtype(type.dtype));
}

void Reverse::refuse(const std::string& what, const std::string& advice) const {
  support::throw_user_at(
      node_.location,
      "a gradient goes through {}, which has no derivative; {}, or end the gradient before it with "
      "stop_gradient",
      what, advice);
}

Expr sum_to(const Expr& a, const Shape& shape) {
  if (a.shape() == shape) return a;
  support::check(a.rank() >= shape.size(), "a gradient {} for an operand {}", to_string(a.type()),
                 to_string(shape));
  const std::size_t offset = a.rank() - shape.size();
  Integers axes;
  Shape kept;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    const bool is_new = d < offset;
    const bool is_stretched = !is_new && shape[d - offset] == Dim(1) && a.shape()[d] != Dim(1);
    if (is_new || is_stretched) axes.push_back(static_cast<std::int64_t>(d));
    if (!is_new) kept.push_back(is_stretched ? Dim(1) : a.shape()[d]);
  }
  const Expr total = axes.empty() ? a : sum(a, axes);
  // Dimensions that are equal in each call only are written as the operand's.
  return broadcast_to(reshape(total, kept), shape);
}

}  // namespace sinter::ir
