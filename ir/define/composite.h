// Composites: operators that are defined by others. One definition serves typing, decomposition and
// the reference.
#pragma once

#include <fmt/format.h>

#include "ir/define/expr.h"

namespace sinter::ir {

/// One use of a composite, as its definition sees it.
class Call {
 public:
  Call(Op op, std::vector<Type> given, Exprs operands, const Attributes& attributes,
       SourceLocation location)
      : op_(op),
        given_(std::move(given)),
        operands_(std::move(operands)),
        attributes_(attributes),
        location_(std::move(location)) {}

  Op op() const { return op_; }
  /// Of the first operand, as the caller has it.
  DType dtype() const { return given_.at(0).dtype; }
  /// Of operand `index`, as the caller has it: what messages show.
  const Type& given(std::size_t index) const { return given_.at(index); }
  /// Narrow floats stand as f32, but in an exact composite, where they stay.
  const Exprs& operands() const { return operands_; }
  const Expr& operator[](std::size_t index) const { return operands_.at(index); }
  std::size_t size() const { return operands_.size(); }
  const Attributes& attributes() const { return attributes_; }
  const SourceLocation& location() const { return location_; }

  double real(AttributeName name, double fallback) const {
    return attributes_.get_or<double>(name, fallback);
  }
  bool flag(AttributeName name) const { return attributes_.get_or<bool>(name, false); }
  /// Attribute axis, which is a dimension of the first operand (UserError).
  std::int64_t axis() const;
  /// Attribute axes, each a dimension of the first operand once (UserError).
  Integers axes() const;

  /// UserError at the place of use: "<op>: ...".
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_with(fmt::format(format, std::forward<Args>(args)...));
  }
  /// UserError unless operand `index` is one of integers.
  void need_integers(std::size_t index) const;
  /// UserError unless all operands but `except` have the dtype of the first.
  void need_one_dtype(std::size_t except = static_cast<std::size_t>(-1)) const;
  /// UserError: operands `a` and `b` need one dtype. It says which to cast.
  [[noreturn]] void refuse_dtypes(std::size_t a, std::size_t b) const;
  /// Whether floating operands differ, as they may in a mixed composite.
  bool has_mixed_floats() const;
  /// UserError unless as many operands are given.
  void need_operands(std::size_t least, std::size_t most) const;

 private:
  [[noreturn]] void fail_with(const std::string& text) const;

  Op op_;
  std::vector<Type> given_;
  Exprs operands_;
  const Attributes& attributes_;
  SourceLocation location_;
};

/// The definition of a composite: one specialization each, in the files of this folder. A result of
/// type f32 takes the type of attribute dtype, or where there is none that of the first floating
/// operand, if that is narrow, but stays f32 where the definition says so (Expr::as_f32_result). Results
/// of an exact composite stay as they are. What a mixed composite scales or shifts by has no part in this;
/// where its operands are equals, as in a loss, the definition says so.
template <Op op>
Exprs define(const Call& call);

/// Appends the definition of the composite on these operands, which may hold composites itself, and
/// returns its results.
std::vector<Value> expand_definition(Graph& graph, Op op, const std::vector<Value>& operands,
                                     const Attributes& attributes, const SourceLocation& location);

/// A graph without composites that means the same. What was one is marked by locations only.
Graph decompose(const Graph& graph);

}  // namespace sinter::ir
