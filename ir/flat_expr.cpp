// Flattening, and the stack machine. Rules of evaluation: index_expr_evaluate.cpp.
#include "ir/flat_expr.h"

#include <algorithm>
#include <array>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

/// Expressions of launch recipes need three or four places; larger ones allocate.
constexpr std::size_t kInlineStack = 32;

/// A product with a 0 in it is 0, however large the others are.
std::int64_t multiply(std::int64_t coefficient, std::span<const std::int64_t> factors) {
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  for (const std::int64_t factor : factors) coefficient = checked_mul(coefficient, factor);
  return coefficient;
}

}  // namespace

FlatExpr::FlatExpr(const IndexExpr& expr, std::span<const std::string> names) {
  add_expr(expr, names);
}

void FlatExpr::add_expr(const IndexExpr& expr, std::span<const std::string> names) {
  const std::vector<Term>& terms = expr.terms();
  for (const Term& term : terms) {
    if (term.factors.empty()) {
      steps_.push_back({Code::Number, 0, term.coefficient});
      continue;
    }
    for (const Atom& atom : term.factors) add_atom(atom, names);
    const auto count = static_cast<std::uint32_t>(term.factors.size());
    if (count > 1 || term.coefficient != 1) {
      steps_.push_back({Code::Product, count, term.coefficient});
    }
  }
  if (terms.empty()) steps_.push_back({Code::Number, 0, 0});
  if (terms.size() > 1) steps_.push_back({Code::Sum, static_cast<std::uint32_t>(terms.size()), 0});
}

void FlatExpr::add_atom(const Atom& atom, std::span<const std::string> names) {
  if (atom.kind == AtomKind::Size) {
    const auto place = std::find(names.begin(), names.end(), atom.name);
    if (place == names.end()) support::throw_user("the size '{}' has no value", atom.name);
    steps_.push_back({Code::Size, 0, place - names.begin()});
    return;
  }
  for (const IndexExpr& operand : atom.operands) add_expr(operand, names);
  switch (atom.kind) {
    case AtomKind::FloorDiv: steps_.push_back({Code::FloorDiv, 2, 0}); return;
    case AtomKind::Mod: steps_.push_back({Code::Mod, 2, 0}); return;
    case AtomKind::Min: steps_.push_back({Code::Min, 2, 0}); return;
    case AtomKind::Max: steps_.push_back({Code::Max, 2, 0}); return;
    case AtomKind::Size:
    case AtomKind::Axis:
    case AtomKind::Value: break;
  }
  support::throw_internal("an expression of sizes has an axis or a value");
}

std::int64_t FlatExpr::evaluate(std::span<const std::int64_t> sizes) const {
  if (steps_.empty()) return 0;
  if (steps_.size() == 1) {
    const Step& step = steps_.front();
    return step.code == Code::Number ? step.number : sizes[static_cast<std::size_t>(step.number)];
  }
  if (steps_.size() <= kInlineStack) {
    std::array<std::int64_t, kInlineStack> stack;
    run(sizes, stack.data());
    return stack[0];
  }
  std::vector<std::int64_t> stack(steps_.size());
  run(sizes, stack.data());
  return stack[0];
}

void FlatExpr::run(std::span<const std::int64_t> sizes, std::int64_t* stack) const {
  std::int64_t* top = stack;  // one past the last value
  for (const Step& step : steps_) {
    top -= step.count;
    switch (step.code) {
      case Code::Number: *top = step.number; break;
      case Code::Size: *top = sizes[static_cast<std::size_t>(step.number)]; break;
      case Code::Product: *top = multiply(step.number, {top, step.count}); break;
      case Code::Sum:
        for (std::uint32_t i = 1; i < step.count; ++i) *top = checked_add(*top, top[i]);
        break;
      case Code::FloorDiv: *top = evaluate_floor_div(top[0], top[1]); break;
      case Code::Mod: *top = evaluate_mod(top[0], top[1]); break;
      case Code::Min: *top = std::min(top[0], top[1]); break;
      case Code::Max: *top = std::max(top[0], top[1]); break;
    }
    ++top;
  }
}

}  // namespace sinter::ir
