// Rules for views: identities vanish, and two views of one kind become one.
#include "codegen/normalize/algebra_rules.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::Op;
using ir::Shape;
using ir::Value;
using Axes = std::vector<std::int64_t>;
using Result = std::optional<Value>;

Result drop_identity_shape(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Broadcast && e.op != Op::Reshape) return {};
  const bool is_same = c.type(e.operands[0]).shape == e.attributes.get<Shape>(AttributeName::Shape);
  return is_same ? Result(e.operands[0]) : Result();
}

Result drop_identity_permute(const RuleContext&, const Expression& e) {
  if (e.op != Op::Permute) return {};
  const auto& axes = e.attributes.get<Axes>(AttributeName::Axes);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] != static_cast<std::int64_t>(d)) return {};
  }
  return e.operands[0];
}

Result drop_identity_slice(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Slice) return {};
  const auto& shape = e.attributes.get<Shape>(AttributeName::Shape);
  const auto& begin = e.attributes.get<Shape>(AttributeName::Begin);
  const auto& step = e.attributes.get<Axes>(AttributeName::Step);
  if (c.type(e.operands[0]).shape != shape) return {};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (step[d] != 1 || begin[d] != ir::Dim(0)) return {};
  }
  return e.operands[0];
}

/// Whether a dimension that is 1 in this call only becomes the number 1, which stretches.
bool makes_a_one(const Shape& from, const Shape& to) {
  const std::size_t offset = to.size() - from.size();
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (to[offset + d] == ir::Dim(1) && from[d] != ir::Dim(1)) return true;
  }
  return false;
}

/// The last shape is all that counts.
Result join_broadcasts_or_reshapes(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Broadcast && e.op != Op::Reshape) return {};
  const ir::Node* inner = c.made_by(e.op, e.operands[0]);
  if (!inner) return {};
  const Shape& middle = c.type(e.operands[0]).shape;
  if (e.op == Op::Broadcast && makes_a_one(c.type(inner->operands[0]).shape, middle)) return {};
  return c.add(e, e.op, inner->operands, e.attributes);
}

Result join_permutes(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Permute) return {};
  const ir::Node* inner = c.made_by(Op::Permute, e.operands[0]);
  if (!inner) return {};
  const auto& first = inner->attributes.get<Axes>(AttributeName::Axes);
  Axes axes;
  for (const std::int64_t axis : e.attributes.get<Axes>(AttributeName::Axes)) {
    axes.push_back(first[static_cast<std::size_t>(axis)]);
  }
  return c.add(e, Op::Permute, inner->operands, {{AttributeName::Axes, axes}});
}

Result join_slices(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Slice) return {};
  const ir::Node* inner = c.made_by(Op::Slice, e.operands[0]);
  if (!inner) return {};
  const auto& first_begin = inner->attributes.get<Shape>(AttributeName::Begin);
  const auto& first_step = inner->attributes.get<Axes>(AttributeName::Step);
  Shape begin = e.attributes.get<Shape>(AttributeName::Begin);
  Axes step = e.attributes.get<Axes>(AttributeName::Step);
  for (std::size_t d = 0; d < begin.size(); ++d) {
    if (__builtin_mul_overflow(step[d], first_step[d], &step[d])) return {};
    begin[d] = first_begin[d] + begin[d] * ir::IndexExpr(first_step[d]);
  }
  ir::Attributes attributes = e.attributes;
  attributes.set(AttributeName::Begin, begin);
  attributes.set(AttributeName::Step, step);
  return c.add(e, Op::Slice, inner->operands, attributes);
}

constexpr AlgebraRule kViewRules[] = {
    {"broadcast or reshape to its own shape -> the operand", drop_identity_shape},
    {"permute by [0, 1, ...] -> the operand", drop_identity_permute},
    {"slice of everything -> the operand", drop_identity_slice},
    {"broadcast(broadcast(a)), reshape(reshape(a)) -> one", join_broadcasts_or_reshapes},
    {"permute(permute(a)) -> one", join_permutes},
    {"slice(slice(a)) -> one", join_slices},
};

}  // namespace

std::span<const AlgebraRule> view_rules() { return kViewRules; }

}  // namespace sinter::codegen
