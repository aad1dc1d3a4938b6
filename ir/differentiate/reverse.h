// Derivatives of operators, as vector-Jacobian products: from the gradients of a node's results to those
// of its operands. A rule is one function, as a definition is (ir/define/composite.h).
//
// Gradients are kept in the type that arithmetic is done in (f32 for narrow floats), and rules see operands
// and results in that type; only what leaves the graph is rounded to its own.
#pragma once

#include <optional>
#include <vector>

#include "ir/define/expr.h"

namespace sinter::ir {

/// One node on the way back, as its rule sees it.
class Reverse {
 public:
  /// `gradients`: of the results, where one arrived; `needed`: the operands that need one.
  Reverse(Graph& graph, NodeId node, std::vector<std::optional<Expr>> gradients,
          std::vector<bool> needed);

  Op op() const { return node_.op; }
  const Attributes& attributes() const { return node_.attributes; }
  std::size_t size() const { return node_.operands.size(); }

  /// Operands and results; narrow floats as f32.
  Expr operator[](std::size_t operand) const;
  Expr result(std::size_t index = 0) const;
  const Shape& shape(std::size_t operand) const;

  /// Of a result, with its shape; zeros where none arrived.
  Expr gradient(std::size_t index = 0) const;
  bool has_gradient(std::size_t index) const { return gradients_.at(index).has_value(); }
  bool needs(std::size_t operand) const { return needed_.at(operand); }

  /// Hands over the gradient of an operand that make() returns, unless nobody needs it. It may have the
  /// larger shape that the operand is broadcast to: then it is summed.
  template <typename F>
  void add(std::size_t operand, const F& make) {
    if (needs(operand)) set(operand, make());
  }
  /// The gradient of this operand comes from the definition of the composite.
  void add_by_definition(std::size_t operand);

  /// UserError at the user's expression: there is no derivative of `what`; `advice` says what to do.
  [[noreturn]] void refuse(const std::string& what, const std::string& advice) const;

  // For the sweep.
  const std::vector<std::optional<Expr>>& results() const { return made_; }
  const std::vector<bool>& by_definition() const { return by_definition_; }

 private:
  void set(std::size_t operand, const Expr& gradient);
  Expr wide(Value value) const;

  Graph* graph_;
  NodeId id_;
  Node node_;  // a copy: the graph grows
  std::vector<std::optional<Expr>> gradients_;
  std::vector<bool> needed_;
  std::vector<std::optional<Expr>> made_;
  std::vector<bool> by_definition_;
};

/// The rule of an operator whose derivative is Rule in ops.def: one specialization each, in the files of
/// this folder; the linker misses one that is not there.
template <Op op>
void derivative(Reverse& r);

/// `a` summed over what it was broadcast by from `shape`.
Expr sum_to(const Expr& a, const Shape& shape);

}  // namespace sinter::ir
