// Bounds of index expressions. Axes, remainders and quotients are replaced by the end of their
// range that the sign of their coefficient picks; what is left speaks of sizes only, and is
// non-negative where all its coefficients are (sizes known to be positive stand for size + 1).
#include <algorithm>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

constexpr int kMaxDepth = 8;

bool prove_nonnegative(const IndexExpr& expr, const Ranges& ranges, int depth);

/// expr = coefficient·atom + rest, the atom in neither.
struct Linear {
  Atom atom;
  IndexExpr coefficient;
  IndexExpr rest;
};

std::optional<Linear> split_linear(const IndexExpr& expr, const Atom& atom) {
  std::vector<Term> coefficient;
  std::vector<Term> rest;
  for (const Term& term : expr.terms()) {
    const auto count = std::count(term.factors.begin(), term.factors.end(), atom);
    if (count > 1) return std::nullopt;
    if (count == 0) {
      rest.push_back(term);
      continue;
    }
    Term divided = term;
    divided.factors.erase(std::find(divided.factors.begin(), divided.factors.end(), atom));
    coefficient.push_back(std::move(divided));
  }
  return Linear{atom, IndexExpr::from_terms(std::move(coefficient)),
                IndexExpr::from_terms(std::move(rest))};
}

/// The first atom for which `wanted` answers true and that occurs linearly.
template <typename Wanted>
std::optional<Linear> find_linear(const IndexExpr& expr, Wanted wanted) {
  for (const Term& term : expr.terms()) {
    for (const Atom& atom : term.factors) {
      if (!wanted(atom)) continue;
      if (auto linear = split_linear(expr, atom)) return linear;
    }
  }
  return std::nullopt;
}

bool is_choice(const Atom& atom) {
  return atom.kind == AtomKind::Min || atom.kind == AtomKind::Max;
}

bool is_nonnegative_atom(const Atom& atom, const Ranges& ranges, int depth) {
  const auto operand = [&](std::size_t i) {
    return prove_nonnegative(atom.operands[i], ranges, depth - 1);
  };
  switch (atom.kind) {
    case AtomKind::Size:
    case AtomKind::Axis: return true;
    case AtomKind::Value: return false;
    case AtomKind::FloorDiv: return operand(0);
    case AtomKind::Mod:
      return atom.operands[1].is_constant() || ranges.positive_divisors || operand(0);
    case AtomKind::Min: return operand(0) && operand(1);
    case AtomKind::Max: return operand(0) || operand(1);
  }
  support::throw_internal("atom kind {} does not exist", static_cast<int>(atom.kind));
}

bool all_terms_nonnegative(const IndexExpr& expr, const Ranges& ranges, int depth) {
  for (const Term& term : expr.terms()) {
    if (term.coefficient < 0) return false;
    for (const Atom& atom : term.factors) {
      if (!is_nonnegative_atom(atom, ranges, depth)) return false;
    }
  }
  return true;
}

std::optional<IndexExpr> bound_of_choice(const Atom& atom, const Ranges& ranges, bool lower) {
  const auto bound = lower ? lower_bound : upper_bound;
  const auto a = bound(atom.operands[0], ranges);
  const auto b = bound(atom.operands[1], ranges);
  if (a && b) return choose_extreme(atom.kind, *a, *b, ranges);
  // One operand alone bounds a minimum from above and a maximum from below.
  return lower == (atom.kind == AtomKind::Max) ? (a ? a : b) : std::nullopt;
}

std::optional<IndexExpr> bound_of_modulus(const Atom& atom, const Ranges& ranges, bool lower) {
  const IndexExpr& divisor = atom.operands[1];
  const bool is_positive =
      divisor.is_constant() || ranges.positive_divisors || ranges.is_positive(divisor);
  if (is_positive) return lower ? IndexExpr(0) : divisor - 1;
  if (lower && ranges.is_nonnegative(atom.operands[0])) return IndexExpr(0);
  return std::nullopt;
}

std::optional<IndexExpr> bound_of(const Atom& atom, const Ranges& ranges, bool lower) {
  switch (atom.kind) {
    case AtomKind::Axis:
      if (lower) return IndexExpr(0);
      if (!ranges.extent) return std::nullopt;
      return ranges.extent(atom.axis) - 1;
    case AtomKind::FloorDiv: {
      const auto bound =
          lower ? lower_bound(atom.operands[0], ranges) : upper_bound(atom.operands[0], ranges);
      if (!bound) return std::nullopt;
      return divide(*bound, atom.operands[1], ranges).first;
    }
    case AtomKind::Mod: return bound_of_modulus(atom, ranges, lower);
    case AtomKind::Min:
    case AtomKind::Max: return bound_of_choice(atom, ranges, lower);
    case AtomKind::Size:
    case AtomKind::Value: return std::nullopt;
  }
  support::throw_internal("atom kind {} does not exist", static_cast<int>(atom.kind));
}

std::optional<IndexExpr> find_lower_bound(IndexExpr expr, const Ranges& ranges, int depth) {
  while (const auto linear = find_linear(expr, has_axis_or_value)) {
    const bool rises = prove_nonnegative(linear->coefficient, ranges, depth - 1);
    const bool falls =
        !rises && prove_nonnegative(IndexExpr(0) - linear->coefficient, ranges, depth - 1);
    if (!rises && !falls) return std::nullopt;
    const auto bound = bound_of(linear->atom, ranges, rises);
    if (!bound) return std::nullopt;
    expr = linear->rest + linear->coefficient * *bound;
  }
  for (const Term& term : expr.terms()) {
    if (std::any_of(term.factors.begin(), term.factors.end(), has_axis_or_value)) {
      return std::nullopt;
    }
  }
  return expr;
}

/// Splits on a min or max: the one that must hold for both operands, the other for either.
bool prove_by_cases(const Linear& linear, const Ranges& ranges, int depth) {
  const auto holds_with = [&](std::size_t operand) {
    const IndexExpr& choice = linear.atom.operands[operand];
    return prove_nonnegative(linear.rest + linear.coefficient * choice, ranges, depth - 1);
  };
  const bool rises = prove_nonnegative(linear.coefficient, ranges, depth - 1);
  if (!rises && !prove_nonnegative(IndexExpr(0) - linear.coefficient, ranges, depth - 1)) {
    return false;
  }
  const bool either = rises == (linear.atom.kind == AtomKind::Max);
  return either ? holds_with(0) || holds_with(1) : holds_with(0) && holds_with(1);
}

/// floor(x / b) lies in [(x - b + 1) / b, x / b]: proves b·expr >= 0, keeping what x has in common
/// with the rest.
bool prove_by_scaling(const Linear& linear, const Ranges& ranges, int depth) {
  const IndexExpr& x = linear.atom.operands[0];
  const IndexExpr& b = linear.atom.operands[1];
  if (!b.is_constant() && !ranges.positive_divisors) return false;
  const bool rises = prove_nonnegative(linear.coefficient, ranges, depth - 1);
  if (!rises && !prove_nonnegative(IndexExpr(0) - linear.coefficient, ranges, depth - 1)) {
    return false;
  }
  const IndexExpr scaled = rises ? x - b + 1 : x;
  return prove_nonnegative(linear.rest * b + linear.coefficient * scaled, ranges, depth - 1);
}

IndexExpr shift_positive_sizes(const IndexExpr& expr, const Ranges& ranges) {
  IndexSubstitution shift;
  shift.size = [&](const std::string& name) -> std::optional<IndexExpr> {
    if (!ranges.positive.contains(name)) return std::nullopt;
    return IndexExpr::size(name) + 1;
  };
  return substitute(expr, shift);
}

bool prove_nonnegative(const IndexExpr& expr, const Ranges& ranges, int depth) {
  if (const auto number = expr.as_constant()) return *number >= 0;
  if (depth <= 0) return false;
  if (all_terms_nonnegative(expr, ranges, depth)) return true;
  const auto choice = find_linear(expr, is_choice);
  if (choice && prove_by_cases(*choice, ranges, depth)) return true;
  if (const auto bound = find_lower_bound(expr, ranges, depth)) {
    if (*bound != expr && prove_nonnegative(*bound, ranges, depth - 1)) return true;
  }
  Ranges unshifted = ranges;
  unshifted.positive.clear();
  if (!ranges.positive.empty() && axes_of(expr).empty()) {
    const IndexExpr shifted = shift_positive_sizes(expr, ranges);
    if (shifted != expr && prove_nonnegative(shifted, unshifted, depth - 1)) return true;
  }
  const auto quotient =
      find_linear(expr, [](const Atom& atom) { return atom.kind == AtomKind::FloorDiv; });
  return quotient && prove_by_scaling(*quotient, ranges, depth);
}

void add_factors_of_positive(const IndexExpr& product, Ranges& ranges) {
  if (product.terms().size() != 1) return;
  for (const Atom& atom : product.terms()[0].factors) {
    if (atom.kind == AtomKind::Size) ranges.positive.insert(atom.name);
  }
}

void add_sizes_of_divisors(const IndexExpr& expr, Ranges& ranges) {
  for (const Term& term : expr.terms()) {
    for (const Atom& atom : term.factors) {
      if (atom.kind == AtomKind::FloorDiv || atom.kind == AtomKind::Mod) {
        add_factors_of_positive(atom.operands[1], ranges);
      }
      for (const IndexExpr& operand : atom.operands) add_sizes_of_divisors(operand, ranges);
    }
  }
}

Ranges query_ranges(const IndexExpr& expr, const AxisExtent& extent) {
  Ranges ranges;
  ranges.extent = extent;
  ranges.positive_divisors = static_cast<bool>(extent);
  add_positive_sizes(expr, ranges);
  return ranges;
}

}  // namespace

Ranges dimension_ranges() { return {}; }

bool Ranges::is_nonnegative(const IndexExpr& expr) const {
  return prove_nonnegative(expr, *this, kMaxDepth);
}

void add_positive_sizes(const IndexExpr& expr, Ranges& ranges) {
  if (!ranges.extent) return;
  for (const AxisId axis : axes_of(expr)) add_factors_of_positive(ranges.extent(axis), ranges);
  if (ranges.positive_divisors) add_sizes_of_divisors(expr, ranges);
}

std::optional<IndexExpr> lower_bound(const IndexExpr& expr, const Ranges& ranges) {
  return find_lower_bound(expr, ranges, kMaxDepth);
}

std::optional<IndexExpr> upper_bound(const IndexExpr& expr, const Ranges& ranges) {
  const auto bound = find_lower_bound(IndexExpr(0) - expr, ranges, kMaxDepth);
  if (!bound) return std::nullopt;
  return IndexExpr(0) - *bound;
}

bool is_provably_nonnegative(const IndexExpr& expr, const AxisExtent& extent) {
  return query_ranges(expr, extent).is_nonnegative(expr);
}

bool is_provably_positive(const IndexExpr& expr, const AxisExtent& extent) {
  return query_ranges(expr, extent).is_positive(expr);
}

}  // namespace sinter::ir
