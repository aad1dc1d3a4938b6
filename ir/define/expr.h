// Expressions: values of a graph under construction, so that a definition reads like its formula.
// Shapes broadcast as in the language; a host number takes the dtype of the expression beside it.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

class Expr {
 public:
  Expr(Graph& graph, Value value, SourceLocation location)
      : graph_(&graph), value_(value), location_(std::move(location)) {}

  Graph& graph() const { return *graph_; }
  Value value() const { return value_; }
  const SourceLocation& location() const { return location_; }
  const Type& type() const { return graph_->type(value_); }
  DType dtype() const { return type().dtype; }
  const Shape& shape() const { return type().shape; }
  std::size_t rank() const { return shape().size(); }
  Dim extent(std::int64_t axis) const { return shape().at(static_cast<std::size_t>(axis)); }

  /// The same as a result of a definition that stays f32 where operands are narrow floats.
  Expr as_f32_result() const {
    Expr result = *this;
    result.is_f32_result_ = true;
    return result;
  }
  bool is_f32_result() const { return is_f32_result_; }

 private:
  Graph* graph_;
  Value value_;
  SourceLocation location_;
  bool is_f32_result_ = false;
};

using Exprs = std::vector<Expr>;
using Integers = std::vector<std::int64_t>;

/// The node of `op` on these operands; pointwise ones are broadcast to one shape.
Expr make_node(Op op, const Exprs& operands, Attributes attributes = {});
/// The same, with all results of the node.
Exprs make_nodes(Op op, const Exprs& operands, Attributes attributes = {});

/// A rank-0 constant of the dtype of `like`, rounded to it.
Expr number(const Expr& like, double value);
Expr constant(const Expr& like, Literal literal);
/// An operand of an operator: an expression, or a number that takes the other operand's dtype.
class ExprOrNumber {
 public:
  ExprOrNumber(Expr expr) : expr_(std::move(expr)) {}  // NOLINT
  template <typename T>
  requires std::is_arithmetic_v<T> ExprOrNumber(T number)
      : number_(static_cast<double>(number)) {}  // NOLINT
  Expr beside(const Expr& other) const { return expr_ ? *expr_ : number(other, number_); }

 private:
  std::optional<Expr> expr_;
  double number_ = 0;
};

#define SINTER_EXPR_BINARY(symbol, op)                                        \
  inline Expr operator symbol(const Expr& a, const ExprOrNumber& b) {         \
    return make_node(Op::op, {a, b.beside(a)});                               \
  }                                                                           \
  template <typename T>                                                       \
  requires std::is_arithmetic_v<T> Expr operator symbol(T a, const Expr& b) { \
    return make_node(Op::op, {number(b, static_cast<double>(a)), b});         \
  }
SINTER_EXPR_BINARY(+, Add)
SINTER_EXPR_BINARY(-, Sub)
SINTER_EXPR_BINARY(*, Mul)
SINTER_EXPR_BINARY(/, Div)
SINTER_EXPR_BINARY(<, Lt)
SINTER_EXPR_BINARY(<=, Le)
SINTER_EXPR_BINARY(>, Gt)
SINTER_EXPR_BINARY(>=, Ge)
SINTER_EXPR_BINARY(&, And)
SINTER_EXPR_BINARY(|, Or)
SINTER_EXPR_BINARY(^, Xor)
SINTER_EXPR_BINARY(<<, ShiftLeft)
SINTER_EXPR_BINARY(>>, ShiftRight)
#undef SINTER_EXPR_BINARY
inline Expr equal(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::Eq, {a, b.beside(a)});
}
inline Expr not_equal(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::Ne, {a, b.beside(a)});
}
inline Expr operator-(const Expr& a) { return make_node(Op::Neg, {a}); }
inline Expr operator!(const Expr& a) { return make_node(Op::Not, {a}); }
inline Expr floor_div(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::FloorDiv, {a, b.beside(a)});
}
inline Expr mod(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::Mod, {a, b.beside(a)});
}
inline Expr minimum(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::Minimum, {a, b.beside(a)});
}
inline Expr maximum(const Expr& a, const ExprOrNumber& b) {
  return make_node(Op::Maximum, {a, b.beside(a)});
}
/// Numbers take the dtype of the other value, which one of the two must be.
Expr select(const Expr& condition, const Expr& b, const ExprOrNumber& c);
inline Expr select(const Expr& condition, double b, const Expr& c) {
  return select(condition, number(c, b), c);
}
inline Expr abs(const Expr& a) { return make_node(Op::Abs, {a}); }
inline Expr sqrt(const Expr& a) { return make_node(Op::Sqrt, {a}); }
inline Expr floor(const Expr& a) { return make_node(Op::Floor, {a}); }
inline Expr exp(const Expr& a) { return make_node(Op::Exp, {a}); }
inline Expr log(const Expr& a) { return make_node(Op::Log, {a}); }
inline Expr expm1(const Expr& a) { return make_node(Op::Expm1, {a}); }
inline Expr log1p(const Expr& a) { return make_node(Op::Log1p, {a}); }
inline Expr tanh(const Expr& a) { return make_node(Op::Tanh, {a}); }
inline Expr round(const Expr& a) { return make_node(Op::Round, {a}); }
/// a * b + c, rounded once.
inline Expr fma(const Expr& a, const Expr& b, const Expr& c) {
  return make_node(Op::Fma, {a, b, c});
}
Expr cast(const Expr& a, DType dtype);
Expr bitcast(const Expr& a, DType dtype);
/// For what cancels in a formula, such as the maximum that a softmax takes out.
inline Expr stop_gradient(const Expr& a) { return make_node(Op::StopGradient, {a}); }

// Views.
Expr broadcast_to(const Expr& a, const Shape& shape);
Expr reshape(const Expr& a, const Shape& shape);
Expr permute(const Expr& a, const Integers& axes);
/// Adds a dimension of extent 1 before dimension `axis`.
Expr unsqueeze(const Expr& a, std::int64_t axis);
/// Elements begin, begin + step, ... of one dimension, `extent` of them.
Expr slice(const Expr& a, std::int64_t axis, const Dim& begin, const Dim& extent,
           std::int64_t step = 1);
Expr pad(const Expr& a, const Shape& begin, const Shape& shape, double outside);
Expr gather(const Expr& a, const Exprs& indices);

// Reductions; reduced axes stay with extent 1 where `keep` is set.
enum class Keep : bool { No, Yes };
Expr reduce(Op op, const Expr& a, const Integers& axes, Keep keep = Keep::No);
inline Expr sum(const Expr& a, const Integers& axes, Keep keep = Keep::No) {
  return reduce(Op::Sum, a, axes, keep);
}
/// The shape with the axes kept as extent 1.
Expr keep_axes(const Expr& reduced, const Expr& operand, const Integers& axes);
Expr einsum(const std::string& equation, const Expr& a, const Expr& b,
            Precision precision = Precision::Split);

/// The index along `axis` of a tensor of this shape, as i64.
Expr iota(const Expr& like, const Shape& shape, std::int64_t axis, DType dtype = DType::I64);
/// The value of an expression of sizes as a rank-0 tensor of `dtype`.
Expr size(const Expr& like, const Dim& dim, DType dtype);
/// The number of elements along the axes.
Dim element_count(const Expr& a, const Integers& axes);

}  // namespace sinter::ir
