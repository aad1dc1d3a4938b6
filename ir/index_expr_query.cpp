// Questions about index expressions: what occurs in them, linearity, inequality.
#include <algorithm>
#include <numeric>

#include "ir/index_expr_rules.h"

namespace sinter::ir {

namespace {

/// Calls `visit` with every atom, also those inside of others.
template <typename Visit>
void for_each_atom(const IndexExpr& expr, const Visit& visit) {
  for (const Term& term : expr.terms()) {
    for (const Atom& atom : term.factors) {
      visit(atom);
      for (const IndexExpr& operand : atom.operands) for_each_atom(operand, visit);
    }
  }
}

bool mentions_axis(const Atom& atom, AxisId axis) {
  if (atom.kind == AtomKind::Axis) return atom.axis == axis;
  return std::any_of(atom.operands.begin(), atom.operands.end(),
                     [&](const IndexExpr& operand) { return axes_of(operand).contains(axis); });
}

}  // namespace

const Atom* single_atom(const IndexExpr& expr) {
  if (expr.terms().size() != 1) return nullptr;
  const Term& term = expr.terms()[0];
  return term.coefficient == 1 && term.factors.size() == 1 ? &term.factors[0] : nullptr;
}

IndexExpr make_binary_atom(AtomKind kind, const IndexExpr& a, const IndexExpr& b) {
  Atom atom;
  atom.kind = kind;
  atom.operands = {a, b};
  const bool commutes = kind == AtomKind::Min || kind == AtomKind::Max;
  if (commutes) std::sort(atom.operands.begin(), atom.operands.end());
  return IndexExpr::from_terms({{1, {std::move(atom)}}});
}

bool has_axis_or_value(const Atom& atom) {
  if (atom.kind == AtomKind::Axis || atom.kind == AtomKind::Value) return true;
  return std::any_of(atom.operands.begin(), atom.operands.end(), [](const IndexExpr& operand) {
    return !axes_of(operand).empty() || !values_of(operand).empty();
  });
}

bool is_provably_different(const IndexExpr& a, const IndexExpr& b) {
  const IndexExpr difference = a - b;
  const IndexExpr opposite = b - a;
  if (is_provably_positive(difference, {}) || is_provably_positive(opposite, {})) return true;
  if (difference.terms().empty() || !difference.terms()[0].factors.empty()) return false;
  // 2*n - 2*m + 1 is never 0: what divides all other terms does not divide the constant.
  std::int64_t divisor = 0;
  for (std::size_t i = 1; i < difference.terms().size(); ++i) {
    divisor = std::gcd(divisor, difference.terms()[i].coefficient);
  }
  return divisor != 0 && difference.terms()[0].coefficient % divisor != 0;
}

std::set<AxisId> axes_of(const IndexExpr& expr) {
  std::set<AxisId> result;
  for_each_atom(expr, [&](const Atom& atom) {
    if (atom.kind == AtomKind::Axis) result.insert(atom.axis);
  });
  return result;
}

std::set<Value> values_of(const IndexExpr& expr) {
  std::set<Value> result;
  for_each_atom(expr, [&](const Atom& atom) {
    if (atom.kind == AtomKind::Value) result.insert(atom.value);
  });
  return result;
}

std::set<std::string> sizes_of(const IndexExpr& expr) {
  std::set<std::string> result;
  for_each_atom(expr, [&](const Atom& atom) {
    if (atom.kind == AtomKind::Size) result.insert(atom.name);
  });
  return result;
}

std::optional<IndexExpr> coefficient_of(const IndexExpr& expr, AxisId axis) {
  std::vector<Term> coefficient;
  for (const Term& term : expr.terms()) {
    const auto is_mention = [&](const Atom& atom) { return mentions_axis(atom, axis); };
    const auto found = std::find_if(term.factors.begin(), term.factors.end(), is_mention);
    if (found == term.factors.end()) continue;
    if (found->kind != AtomKind::Axis) return std::nullopt;
    Term rest = term;
    rest.factors.erase(rest.factors.begin() + (found - term.factors.begin()));
    if (std::any_of(rest.factors.begin(), rest.factors.end(), is_mention)) return std::nullopt;
    coefficient.push_back(std::move(rest));
  }
  return IndexExpr::from_terms(std::move(coefficient));
}

bool is_affine(const IndexExpr& expr) {
  for (const Term& term : expr.terms()) {
    int axes = 0;
    for (const Atom& atom : term.factors) {
      if (!has_axis_or_value(atom)) continue;
      if (atom.kind != AtomKind::Axis) return false;
      ++axes;
    }
    if (axes > 1) return false;
  }
  return true;
}

}  // namespace sinter::ir
