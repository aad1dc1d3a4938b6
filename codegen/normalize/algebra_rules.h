// The parts that rules of algebra are written in: an expression not yet added to the graph, and
// questions about its operands.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "codegen/normalize/splat.h"
#include "ir/graph.h"

namespace sinter::codegen {

/// A node before it is added; operands are values of the graph under construction.
struct Expression {
  ir::Op op = ir::Op::None;
  std::vector<ir::Value> operands;
  ir::Attributes attributes;
  SourceLocation location;
};

/// The graph under construction, as rules see it.
class RuleContext {
 public:
  using Add = std::function<ir::Value(const Expression&)>;
  RuleContext(ir::Graph& graph, Add add) : graph_(graph), add_(std::move(add)) {}

  const ir::Type& type(ir::Value value) const { return graph_.type(value); }
  DType dtype(ir::Value value) const { return type(value).dtype; }
  /// The node that makes `value`, if its operator is `op`; else null.
  const ir::Node* made_by(ir::Op op, ir::Value value) const;
  std::optional<ir::Literal> splat(ir::Value value) const { return splat_of(graph_, value); }
  /// Whether every element of `value` is this literal, bit for bit.
  bool is_splat(ir::Value value, const ir::Literal& literal) const;

  /// Adds an expression, simplified in its turn.
  ir::Value add(const Expression& old, ir::Op op, std::vector<ir::Value> operands,
                ir::Attributes attributes = {}) const {
    return add_({op, std::move(operands), std::move(attributes), old.location});
  }
  /// Adds a constant of the shape of `like`.
  ir::Value add_splat_like(const Expression& old, const ir::Literal& literal,
                           ir::Value like) const {
    return add_splat(graph_, literal, type(like).shape, old.location);
  }

 private:
  ir::Graph& graph_;
  Add add_;
};

/// What the expression equals, for every value of its operands; nullopt where the rule is silent.
struct AlgebraRule {
  std::string_view text;
  std::optional<ir::Value> (*apply)(const RuleContext& context, const Expression& e);
};

std::span<const AlgebraRule> scalar_rules();
std::span<const AlgebraRule> view_rules();

}  // namespace sinter::codegen
