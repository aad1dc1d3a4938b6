// Sums of products, written as a reader would: the constant last, minus signs joined.
#include "codegen/cuda/index_text.h"

#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Atom;
using ir::AtomKind;
using ir::IndexExpr;
using ir::Term;

bool has_values(const IndexExpr& expr) { return !ir::values_of(expr).empty(); }

}  // namespace

std::string parenthesize(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (c == ' ' && depth == 0) return "(" + text + ")";
  }
  return text;
}

std::string IndexText::emit(const IndexExpr& expr) const {
  return emit_sum(expr, has_values(expr));
}

std::string IndexText::emit_operand(const IndexExpr& expr) const {
  return parenthesize(emit(expr));
}

std::string IndexText::emit_coordinate(const IndexExpr& expr) const {
  const std::string text = emit_operand(expr);
  return has_values(expr) ? "(idx)" + text : text;
}

std::string IndexText::emit_wide(const IndexExpr& expr) const { return emit_sum(expr, true); }

std::string IndexText::emit_condition(const ir::Shape& where) const {
  std::string condition;
  for (const IndexExpr& expr : where) {
    if (ir::is_provably_nonnegative(expr, kernel_.axis_extent())) continue;
    condition += (condition.empty() ? "" : " && ") + emit(expr) + " >= 0";
  }
  return condition;
}

std::string IndexText::emit_sum(const IndexExpr& expr, bool is_wide) const {
  std::string text;
  std::int64_t constant = 0;
  for (const Term& term : expr.terms()) {
    if (term.factors.empty()) {
      constant = term.coefficient;
      continue;
    }
    const bool is_negative = term.coefficient < 0;
    const std::string product =
        emit_product(is_negative ? -term.coefficient : term.coefficient, term, is_wide);
    if (text.empty()) {
      text = (is_negative ? "-" : "") + product;
    } else {
      text += (is_negative ? " - " : " + ") + product;
    }
  }
  const std::string suffix = constant > INT32_MAX || constant < -INT32_MAX ? "ll" : "";
  if (text.empty()) return std::to_string(constant) + suffix;
  if (constant > 0) text += " + " + std::to_string(constant) + suffix;
  if (constant < 0) text += " - " + std::to_string(-constant) + suffix;
  return text;
}

std::string IndexText::emit_product(std::int64_t coefficient, const Term& term,
                                    bool is_wide) const {
  std::string text = coefficient == 1 ? "" : std::to_string(coefficient);
  if (coefficient > INT32_MAX) text += "ll";
  for (const Atom& atom : term.factors) {
    text += (text.empty() ? "" : " * ") + emit_atom(atom, is_wide);
  }
  return text;
}

std::string IndexText::emit_atom(const Atom& atom, bool is_wide) const {
  const std::string cast = is_wide ? "(" + pieces_.use("i64") + ")" : "";
  if (atom.kind == AtomKind::Size) return cast + names_.sizes.at(atom.name);
  if (atom.kind == AtomKind::Axis) return cast + names_.axes.at(atom.axis);
  if (atom.kind == AtomKind::Value)
    return "(" + pieces_.use("i64") + ")" + names_.values.at(atom.value);

  const std::string left = emit_sum(atom.operands[0], is_wide);
  const std::string right = emit_sum(atom.operands[1], is_wide);
  const std::string type = is_wide ? pieces_.use("i64") : "idx";
  const auto call = [&](const char* piece) {
    return pieces_.use(piece) + "<" + type + ">(" + left + ", " + right + ")";
  };
  if (atom.kind == AtomKind::Min) return call("index_min");
  if (atom.kind == AtomKind::Max) return call("index_max");

  const bool is_div = atom.kind == AtomKind::FloorDiv;
  const ir::AxisExtent extent = kernel_.axis_extent();
  if (!ir::is_provably_nonnegative(atom.operands[0], extent)) {
    return call(is_div ? "index_div" : "index_mod");
  }
  if (!ir::is_provably_positive(atom.operands[1], extent)) {
    return call(is_div ? "div_or_zero" : "mod_or_self");
  }
  const std::string symbol = is_div ? " / " : " % ";
  return "(" + parenthesize(left) + symbol + parenthesize(right) + ")";
}

}  // namespace sinter::codegen::cuda
