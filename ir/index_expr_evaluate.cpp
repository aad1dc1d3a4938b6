// The number that an index expression stands for, once sizes, axes and values are known.
#include <algorithm>

#include "ir/index_expr_rules.h"
#include "support/check.h"

namespace sinter::ir {

std::int64_t evaluate_floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return checked_mul(a, -1);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t evaluate_mod(std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

namespace {

std::int64_t evaluate_atom(const Atom& atom, const IndexBindings& bindings) {
  const auto operand = [&](std::size_t i) { return evaluate(atom.operands[i], bindings); };
  switch (atom.kind) {
    case AtomKind::Size: {
      const auto found = bindings.sizes.find(atom.name);
      if (found != bindings.sizes.end()) return found->second;
      support::throw_user("the size '{}' has no value", atom.name);
    }
    case AtomKind::Axis:
      support::check(static_cast<bool>(bindings.axis), "no axis has a value");
      return bindings.axis(atom.axis);
    case AtomKind::Value:
      support::check(static_cast<bool>(bindings.value), "no index value is known");
      return bindings.value(atom.value);
    case AtomKind::FloorDiv: return evaluate_floor_div(operand(0), operand(1));
    case AtomKind::Mod: return evaluate_mod(operand(0), operand(1));
    case AtomKind::Min: return std::min(operand(0), operand(1));
    case AtomKind::Max: return std::max(operand(0), operand(1));
  }
  support::throw_internal("atom kind {} does not exist", static_cast<int>(atom.kind));
}

std::int64_t evaluate_term(const Term& term, const IndexBindings& bindings) {
  std::vector<std::int64_t> factors;
  for (const Atom& atom : term.factors) factors.push_back(evaluate_atom(atom, bindings));
  // A product with a 0 in it is 0, however large the others are.
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  std::int64_t product = term.coefficient;
  for (const std::int64_t factor : factors) product = checked_mul(product, factor);
  return product;
}

}  // namespace

std::int64_t evaluate(const IndexExpr& expr, const IndexBindings& bindings) {
  std::int64_t sum = 0;
  for (const Term& term : expr.terms()) sum = checked_add(sum, evaluate_term(term, bindings));
  return sum;
}

}  // namespace sinter::ir
