// Printing index expressions and shapes: "2*n*i - j + 1".
#include "ir/index_expr.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

std::string binary_text(const Atom& atom, const char* open, const char* separator,
                        const IndexNames& names) {
  return open + to_string(atom.operands[0], names) + separator +
         to_string(atom.operands[1], names) + ")";
}

/// A divisor that is a sum or a product stands in parentheses: floor(a / (2*n)).
std::string floor_text(const Atom& atom, const IndexNames& names) {
  const auto is_simple = [](const IndexExpr& expr) {
    if (expr.is_constant()) return true;
    if (expr.terms().size() != 1) return false;
    const Term& term = expr.terms()[0];
    return term.coefficient == 1 && term.factors.size() == 1;
  };
  const auto text = [&](std::size_t i, bool is_bare) {
    const std::string inner = to_string(atom.operands[i], names);
    return is_bare ? inner : "(" + inner + ")";
  };
  const bool is_bare_dividend = atom.operands[0].terms().size() <= 1;
  return "floor(" + text(0, is_bare_dividend) + " / " + text(1, is_simple(atom.operands[1])) + ")";
}

std::string atom_text(const Atom& atom, const IndexNames& names) {
  switch (atom.kind) {
    case AtomKind::Size: return atom.name;
    case AtomKind::Axis: return names.axis ? names.axis(atom.axis) : fmt::format("i{}", atom.axis);
    case AtomKind::Value:
      if (names.value) return names.value(atom.value);
      return fmt::format("%{}.{}", atom.value.node, atom.value.result);
    case AtomKind::FloorDiv: return floor_text(atom, names);
    case AtomKind::Mod: return binary_text(atom, "mod(", ", ", names);
    case AtomKind::Min: return binary_text(atom, "min(", ", ", names);
    case AtomKind::Max: return binary_text(atom, "max(", ", ", names);
  }
  support::throw_internal("atom kind {} does not exist", static_cast<int>(atom.kind));
}

/// Coefficient without its sign, and factors.
std::string product_text(const Term& term, const IndexNames& names) {
  const auto magnitude = term.coefficient < 0
                             ? std::uint64_t{0} - static_cast<std::uint64_t>(term.coefficient)
                             : static_cast<std::uint64_t>(term.coefficient);
  std::string text;
  if (magnitude != 1 || term.factors.empty()) text = std::to_string(magnitude);
  for (const Atom& atom : term.factors) {
    if (!text.empty()) text += '*';
    text += atom_text(atom, names);
  }
  return text;
}

}  // namespace

std::string to_string(const IndexExpr& expr, const IndexNames& names) {
  if (expr.terms().empty()) return "0";
  std::string text;
  const auto append = [&](const Term& term) {
    if (!text.empty())
      text += term.coefficient < 0 ? " - " : " + ";
    else if (term.coefficient < 0)
      text += '-';
    text += product_text(term, names);
  };
  const bool has_constant = expr.terms()[0].factors.empty();
  for (std::size_t i = has_constant ? 1 : 0; i < expr.terms().size(); ++i) append(expr.terms()[i]);
  if (has_constant) append(expr.terms()[0]);
  return text;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += to_string(shape[i]);
  }
  return text + "]";
}

}  // namespace sinter::ir
