// Rebuilding index expressions: with axis ranges, with parts replaced, and minima and maxima.
#include <algorithm>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

/// A pass may uncover another (a sum that became short enough for a rule); more never happened.
constexpr int kMaxPasses = 4;

/// The sum of products with every atom replaced by what `rebuild` answers.
template <typename Rebuild>
IndexExpr rebuild_terms(const IndexExpr& expr, Rebuild rebuild) {
  std::vector<Term> terms;
  for (const Term& term : expr.terms()) {
    IndexExpr product = term.coefficient;
    for (const Atom& atom : term.factors) product = product * rebuild(atom);
    terms.insert(terms.end(), product.terms().begin(), product.terms().end());
  }
  return IndexExpr::from_terms(std::move(terms));
}

IndexExpr rebuild_atom(const Atom& atom, const IndexExpr& a, const IndexExpr& b,
                       const Ranges& ranges) {
  switch (atom.kind) {
    case AtomKind::FloorDiv: return divide(a, b, ranges).first;
    case AtomKind::Mod: return divide(a, b, ranges).second;
    case AtomKind::Min:
    case AtomKind::Max: return choose_extreme(atom.kind, a, b, ranges);
    case AtomKind::Size:
    case AtomKind::Axis:
    case AtomKind::Value: break;
  }
  return IndexExpr::from_atom(atom);
}

IndexExpr simplify_once(const IndexExpr& expr, const Ranges& ranges) {
  return rebuild_terms(expr, [&](const Atom& atom) {
    if (atom.operands.empty()) return IndexExpr::from_atom(atom);
    const IndexExpr a = simplify_once(atom.operands[0], ranges);
    const IndexExpr b = simplify_once(atom.operands[1], ranges);
    return rebuild_atom(atom, a, b, ranges);
  });
}

std::optional<IndexExpr> replacement(const Atom& atom, const IndexSubstitution& substitution) {
  switch (atom.kind) {
    case AtomKind::Size: return substitution.size ? substitution.size(atom.name) : std::nullopt;
    case AtomKind::Axis: return substitution.axis ? substitution.axis(atom.axis) : std::nullopt;
    case AtomKind::Value: return substitution.value ? substitution.value(atom.value) : std::nullopt;
    case AtomKind::FloorDiv:
    case AtomKind::Mod:
    case AtomKind::Min:
    case AtomKind::Max: break;
  }
  return std::nullopt;
}

/// Operands of nested minima (maxima) in one list.
void flatten(AtomKind kind, const IndexExpr& expr, std::vector<IndexExpr>& operands) {
  const Atom* atom = single_atom(expr);
  if (!atom || atom->kind != kind) {
    operands.push_back(expr);
    return;
  }
  for (const IndexExpr& operand : atom->operands) flatten(kind, operand, operands);
}

}  // namespace

IndexExpr choose_extreme(AtomKind kind, const IndexExpr& a, const IndexExpr& b,
                         const Ranges& ranges) {
  std::vector<IndexExpr> operands;
  flatten(kind, a, operands);
  flatten(kind, b, operands);
  std::sort(operands.begin(), operands.end());
  const auto is_dominated_by = [&](const IndexExpr& loser, const IndexExpr& winner) {
    return ranges.is_nonnegative(kind == AtomKind::Min ? loser - winner : winner - loser);
  };
  std::vector<IndexExpr> kept;
  for (const IndexExpr& operand : operands) {
    const auto beats_operand = [&](const IndexExpr& other) {
      return is_dominated_by(operand, other);
    };
    if (std::any_of(kept.begin(), kept.end(), beats_operand)) continue;
    std::erase_if(kept, [&](const IndexExpr& other) { return is_dominated_by(other, operand); });
    kept.push_back(operand);
  }
  IndexExpr result = kept[0];
  for (std::size_t i = 1; i < kept.size(); ++i) result = make_binary_atom(kind, result, kept[i]);
  return result;
}

IndexExpr min(const IndexExpr& a, const IndexExpr& b) {
  return choose_extreme(AtomKind::Min, a, b, dimension_ranges());
}

IndexExpr max(const IndexExpr& a, const IndexExpr& b) {
  return choose_extreme(AtomKind::Max, a, b, dimension_ranges());
}

IndexExpr simplify(const IndexExpr& expr, const AxisExtent& extent) {
  Ranges ranges;
  ranges.extent = extent;
  ranges.positive_divisors = true;
  add_positive_sizes(expr, ranges);
  IndexExpr result = expr;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    IndexExpr next = simplify_once(result, ranges);
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

IndexExpr substitute(const IndexExpr& expr, const IndexSubstitution& substitution) {
  return rebuild_terms(expr, [&](const Atom& atom) {
    if (auto found = replacement(atom, substitution)) return *std::move(found);
    if (atom.operands.empty()) return IndexExpr::from_atom(atom);
    const IndexExpr a = substitute(atom.operands[0], substitution);
    const IndexExpr b = substitute(atom.operands[1], substitution);
    return rebuild_atom(atom, a, b, dimension_ranges());
  });
}

}  // namespace sinter::ir
