// The normal form of index expressions: sums of products, sorted, without equal or zero terms, and
// with b*floor(x / b) + mod(x, b) put together again. Division: index_expr_divide.cpp.
#include "ir/index_expr.h"

#include <algorithm>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

std::vector<Atom> multiply_factors(const std::vector<Atom>& a, const std::vector<Atom>& b) {
  std::vector<Atom> result;
  result.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

/// Sorts by factors, adds up the coefficients of equal ones and drops what became 0.
std::vector<Term> collect_terms(std::vector<Term> terms) {
  for (Term& term : terms) std::sort(term.factors.begin(), term.factors.end());
  std::sort(terms.begin(), terms.end());
  std::vector<Term> result;
  for (Term& term : terms) {
    if (!result.empty() && result.back().factors == term.factors) {
      result.back().coefficient = checked_add(result.back().coefficient, term.coefficient);
    } else {
      if (!result.empty() && result.back().coefficient == 0) result.pop_back();
      result.push_back(std::move(term));
    }
  }
  if (!result.empty() && result.back().coefficient == 0) result.pop_back();
  return result;
}

/// Where terms[position] is c·F·mod(x, b) and another term is c·F·b·floor(x / b): their sum, c·F·x.
bool join_quotient(std::vector<Term>& terms, std::size_t position, std::size_t factor) {
  const Atom modulus = terms[position].factors[factor];
  Term rest = terms[position];
  rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(factor));
  const IndexExpr outer = IndexExpr::from_terms({rest});
  const IndexExpr& x = modulus.operands[0];
  const IndexExpr& b = modulus.operands[1];
  const IndexExpr wanted = outer * b * floor_div(x, b);
  if (wanted.terms().size() != 1) return false;
  const auto found = std::find(terms.begin(), terms.end(), wanted.terms()[0]);
  if (found == terms.end()) return false;
  const auto quotient = static_cast<std::size_t>(found - terms.begin());
  terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::max(position, quotient)));
  terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::min(position, quotient)));
  const IndexExpr joined = outer * x;
  terms.insert(terms.end(), joined.terms().begin(), joined.terms().end());
  return true;
}

bool join_any_quotient(std::vector<Term>& terms) {
  // A lone term has no partner; asking floor_div for it would come back here without end.
  if (terms.size() < 2) return false;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (std::size_t f = 0; f < terms[t].factors.size(); ++f) {
      if (terms[t].factors[f].kind == AtomKind::Mod && join_quotient(terms, t, f)) return true;
    }
  }
  return false;
}

}  // namespace

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    support::throw_user("the size expression {} + {} overflows 64 bits", a, b);
  }
  return result;
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    support::throw_user("the size expression {} * {} overflows 64 bits", a, b);
  }
  return result;
}

std::strong_ordering operator<=>(const Atom& a, const Atom& b) {
  if (const auto order = a.kind <=> b.kind; order != 0) return order;
  if (const auto order = a.name <=> b.name; order != 0) return order;
  if (const auto order = a.axis <=> b.axis; order != 0) return order;
  if (const auto order = a.value <=> b.value; order != 0) return order;
  return std::lexicographical_compare_three_way(a.operands.begin(), a.operands.end(),
                                                b.operands.begin(), b.operands.end());
}

bool operator==(const Atom& a, const Atom& b) { return (a <=> b) == 0; }

std::strong_ordering operator<=>(const Term& a, const Term& b) {
  const auto order = std::lexicographical_compare_three_way(a.factors.begin(), a.factors.end(),
                                                            b.factors.begin(), b.factors.end());
  return order != 0 ? order : a.coefficient <=> b.coefficient;
}

bool operator==(const Term& a, const Term& b) { return (a <=> b) == 0; }

IndexExpr::IndexExpr(std::int64_t constant) {
  if (constant != 0) terms_.push_back({constant, {}});
}

IndexExpr IndexExpr::size(std::string name) {
  Atom atom;
  atom.kind = AtomKind::Size;
  atom.name = std::move(name);
  return from_terms({{1, {std::move(atom)}}});
}

IndexExpr IndexExpr::axis(AxisId axis) {
  Atom atom;
  atom.kind = AtomKind::Axis;
  atom.axis = axis;
  return from_terms({{1, {std::move(atom)}}});
}

IndexExpr IndexExpr::value(Value value) {
  Atom atom;
  atom.kind = AtomKind::Value;
  atom.value = value;
  return from_terms({{1, {std::move(atom)}}});
}

IndexExpr IndexExpr::from_terms(std::vector<Term> terms) {
  IndexExpr result;
  result.terms_ = collect_terms(std::move(terms));
  while (join_any_quotient(result.terms_)) {
    result.terms_ = collect_terms(std::move(result.terms_));
  }
  return result;
}

IndexExpr IndexExpr::from_atom(Atom atom) {
  switch (atom.kind) {
    case AtomKind::FloorDiv: return floor_div(atom.operands.at(0), atom.operands.at(1));
    case AtomKind::Mod: return ir::mod(atom.operands.at(0), atom.operands.at(1));
    case AtomKind::Min: return ir::min(atom.operands.at(0), atom.operands.at(1));
    case AtomKind::Max: return ir::max(atom.operands.at(0), atom.operands.at(1));
    case AtomKind::Size:
    case AtomKind::Axis:
    case AtomKind::Value: return from_terms({{1, {std::move(atom)}}});
  }
  support::throw_internal("atom kind {} does not exist", static_cast<int>(atom.kind));
}

bool IndexExpr::is_constant() const { return as_constant().has_value(); }

std::int64_t IndexExpr::constant() const {
  const auto value = as_constant();
  support::check(value.has_value(), "{} is not a number", to_string(*this));
  return *value;
}

std::optional<std::int64_t> IndexExpr::as_constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_[0].factors.empty()) return std::nullopt;
  return terms_[0].coefficient;
}

std::optional<AxisId> IndexExpr::as_axis() const {
  const Atom* atom = single_atom(*this);
  return atom && atom->kind == AtomKind::Axis ? std::optional(atom->axis) : std::nullopt;
}

std::optional<std::string> IndexExpr::as_size() const {
  const Atom* atom = single_atom(*this);
  return atom && atom->kind == AtomKind::Size ? std::optional(atom->name) : std::nullopt;
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) {
  std::vector<Term> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return IndexExpr::from_terms(std::move(terms));
}

IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) { return a + b * IndexExpr(-1); }

IndexExpr operator*(const IndexExpr& a, const IndexExpr& b) {
  std::vector<Term> terms;
  for (const Term& left : a.terms_) {
    for (const Term& right : b.terms_) {
      terms.push_back({checked_mul(left.coefficient, right.coefficient),
                       multiply_factors(left.factors, right.factors)});
    }
  }
  return IndexExpr::from_terms(std::move(terms));
}

std::strong_ordering operator<=>(const IndexExpr& a, const IndexExpr& b) {
  return std::lexicographical_compare_three_way(a.terms_.begin(), a.terms_.end(), b.terms_.begin(),
                                                b.terms_.end());
}

bool operator==(const IndexExpr& a, const IndexExpr& b) { return (a <=> b) == 0; }

}  // namespace sinter::ir
