// Division rules of index expressions. With a = q·b + r:
//
//   rule                                      holds where
//   floor(a / b) = q + floor(r / b)           b >= 1
//   floor(r / b) = 0, mod(r, b) = r           0 <= r < b
//   floor(r / b) = -1, mod(r, b) = r + b      -b <= r < 0
//   floor((g·x + s) / (g·c)) = floor(x / c)   0 <= s < g; mod: g·mod(x, c) + s
//   floor(floor(x / a) / b) = floor(x / a·b)  always; with + k inside: x + k·a, a and b >= 1
//   floor(mod(x, b·k) / b) = mod(floor(x / b), k) and mod(mod(x, b·k), b) = mod(x, b)    b >= 1
//
// Coefficients of r keep their sign (|coefficient| < b); its constant lies in [0, b).
#include <algorithm>
#include <numeric>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using Division = std::pair<IndexExpr, IndexExpr>;  // quotient, remainder

bool has_factors(const Term& term, const std::vector<Atom>& factors) {
  return std::includes(term.factors.begin(), term.factors.end(), factors.begin(), factors.end());
}

std::vector<Atom> without_factors(const Term& term, const std::vector<Atom>& factors) {
  std::vector<Atom> rest;
  std::set_difference(term.factors.begin(), term.factors.end(), factors.begin(), factors.end(),
                      std::back_inserter(rest));
  return rest;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

IndexExpr from_term(std::int64_t coefficient, std::vector<Atom> factors) {
  return IndexExpr::from_terms({{coefficient, std::move(factors)}});
}

/// How often a term divisor goes into a term: rounded down for constants, else towards zero.
std::int64_t times_contained(const Term& term, const Term& divisor) {
  if (!has_factors(term, divisor.factors)) return 0;
  const bool constants = term.factors.empty();
  return constants ? floor_quotient(term.coefficient, divisor.coefficient)
                   : term.coefficient / divisor.coefficient;
}

Division take_multiples_of_term(const IndexExpr& a, const Term& divisor) {
  std::vector<Term> quotient;
  std::vector<Term> rest;
  for (const Term& term : a.terms()) {
    const std::int64_t times = times_contained(term, divisor);
    quotient.push_back({times, without_factors(term, divisor.factors)});
    rest.push_back({term.coefficient - times * divisor.coefficient, term.factors});
  }
  return {IndexExpr::from_terms(std::move(quotient)), IndexExpr::from_terms(std::move(rest))};
}

/// Long division by a sum: a step is taken only where it makes the rest shorter.
Division take_multiples_of_sum(IndexExpr a, const IndexExpr& b) {
  IndexExpr quotient;
  for (bool changed = true; changed;) {
    changed = false;
    const Term& leading = b.terms().back();
    for (const Term& term : a.terms()) {
      if (term.coefficient % leading.coefficient != 0 || !has_factors(term, leading.factors)) {
        continue;
      }
      const IndexExpr step =
          from_term(term.coefficient / leading.coefficient, without_factors(term, leading.factors));
      IndexExpr rest = a - step * b;
      if (rest.terms().size() >= a.terms().size()) continue;
      quotient = quotient + step;
      a = std::move(rest);
      changed = true;
      break;
    }
  }
  return {quotient, a};
}

Division take_multiples(const IndexExpr& a, const IndexExpr& b) {
  return b.terms().size() == 1 ? take_multiples_of_term(a, b.terms()[0])
                               : take_multiples_of_sum(a, b);
}

/// The largest product that divides both.
Term common_divisor(const Term& a, const Term& b) {
  Term result{std::gcd(a.coefficient, b.coefficient), {}};
  std::set_intersection(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                        std::back_inserter(result.factors));
  return result;
}

/// r = g·x + s, where x takes every term that g divides, and of the constant what fits.
Division split_by(const IndexExpr& r, const Term& g) {
  std::vector<Term> x;
  std::vector<Term> s;
  for (const Term& term : r.terms()) {
    const std::int64_t times = times_contained(term, g);
    const std::int64_t left = term.coefficient - times * g.coefficient;
    if (left != 0 && !term.factors.empty()) {
      s.push_back(term);
      continue;
    }
    x.push_back({times, without_factors(term, g.factors)});
    s.push_back({left, term.factors});
  }
  return {IndexExpr::from_terms(std::move(x)), IndexExpr::from_terms(std::move(s))};
}

std::optional<Division> divide_common(const IndexExpr& r, const IndexExpr& b,
                                      const Ranges& ranges) {
  for (const Term& term : r.terms()) {
    if (term.factors.empty()) continue;
    Term g = term;
    for (const Term& divisor : b.terms()) g = common_divisor(g, divisor);
    if (g.coefficient == 1 && g.factors.empty()) continue;
    const auto [x, s] = split_by(r, g);
    const IndexExpr whole = IndexExpr::from_terms({g});
    const bool fits = s == 0 || (ranges.is_nonnegative(s) && ranges.is_nonnegative(whole - s - 1));
    if (!fits) continue;
    const auto [quotient, rest] = divide(x, split_by(b, g).first, ranges);
    return Division{quotient, whole * rest + s};
  }
  return std::nullopt;
}

/// floor(x / d) + k as dividend, x and d non-null, where `r` is of that form.
struct InnerQuotient {
  IndexExpr x;
  IndexExpr d;
  std::int64_t k = 0;
};

std::optional<InnerQuotient> as_inner_quotient(const IndexExpr& r) {
  std::int64_t k = 0;
  if (!r.terms().empty() && r.terms()[0].factors.empty()) k = r.terms()[0].coefficient;
  const IndexExpr without_constant = r - k;
  const Atom* atom = single_atom(without_constant);
  if (!atom || atom->kind != AtomKind::FloorDiv) return std::nullopt;
  return InnerQuotient{atom->operands[0], atom->operands[1], k};
}

Division make_division(const IndexExpr& a, const IndexExpr& b, const Ranges& ranges,
                       bool is_positive) {
  const IndexExpr modulus = make_binary_atom(AtomKind::Mod, a, b);
  const auto inner = as_inner_quotient(a);
  if (inner && (inner->k == 0 || (is_positive && ranges.is_positive(inner->d)))) {
    return {divide(inner->x + inner->d * inner->k, inner->d * b, ranges).first, modulus};
  }
  return {make_binary_atom(AtomKind::FloorDiv, a, b), modulus};
}

/// The rules for mod(x, b·k) as dividend.
std::optional<Division> divide_modulus(const IndexExpr& r, const IndexExpr& b,
                                       const Ranges& ranges) {
  const Atom* atom = single_atom(r);
  if (!atom || atom->kind != AtomKind::Mod) return std::nullopt;
  const auto [k, rest] = take_multiples(atom->operands[1], b);
  if (rest != 0) return std::nullopt;
  const auto [quotient, remainder] = divide(atom->operands[0], b, ranges);
  return Division{divide(quotient, k, ranges).second, remainder};
}

/// r / b where b >= 1 and no multiple of b stands in r.
Division divide_rest(const IndexExpr& r, const IndexExpr& b, const Ranges& ranges) {
  if (ranges.is_nonnegative(r) && ranges.is_nonnegative(b - r - 1)) return {0, r};
  if (ranges.is_nonnegative(IndexExpr(-1) - r) && ranges.is_nonnegative(r + b)) return {-1, r + b};
  if (const auto division = divide_common(r, b, ranges)) return *division;
  if (const auto division = divide_modulus(r, b, ranges)) return *division;
  return make_division(r, b, ranges, true);
}

}  // namespace

Division divide(const IndexExpr& a, const IndexExpr& b, const Ranges& ranges) {
  const auto number = b.as_constant();
  if (number && *number <= 0) {
    support::throw_user("cannot divide {} by {}: a divisor of sizes must be at least 1",
                        to_string(a), *number);
  }
  if (a == 0) return {0, 0};
  if (number && *number == 1) return {a, 0};
  const bool is_positive = number || ranges.positive_divisors || ranges.is_positive(b);
  if (!is_positive) return make_division(a, b, ranges, false);
  const auto [multiples, r] = take_multiples(a, b);
  const auto [quotient, rest] = divide_rest(r, b, ranges);
  return {multiples + quotient, rest};
}

IndexExpr floor_div(const IndexExpr& a, const IndexExpr& b) {
  return divide(a, b, dimension_ranges()).first;
}

IndexExpr mod(const IndexExpr& a, const IndexExpr& b) {
  return divide(a, b, dimension_ranges()).second;
}

}  // namespace sinter::ir
