// Reads equations of two operands.
#include "ir/equation.h"

#include <cctype>

#include "support/check.h"

namespace sinter::ir {

namespace {

using support::throw_user_at;

bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

void check_labels(const std::string& text, const std::string& labels,
                  const SourceLocation& location) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::isalpha(static_cast<unsigned char>(labels[i])) == 0) {
      throw_user_at(location, "equation '{}': labels are letters; given '{}'", text, labels);
    }
    if (labels.find(labels[i], i + 1) != std::string::npos) {
      throw_user_at(location, "equation '{}': label {} stands twice in '{}'", text, labels[i],
                    labels);
    }
  }
}

}  // namespace

std::string Equation::contracted() const {
  std::string labels;
  for (const char label : operands[0]) {
    if (!has(result, label)) labels += label;
  }
  return labels;
}

Equation parse_equation(const std::string& text, const SourceLocation& location) {
  const std::size_t comma = text.find(',');
  const std::size_t arrow = text.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) {
    throw_user_at(location, "equation '{}': the form of two operands is 'ij,jk->ik'", text);
  }
  const Equation equation{{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1)},
                          text.substr(arrow + 2)};
  for (const std::string& labels : {equation.operands[0], equation.operands[1], equation.result}) {
    check_labels(text, labels, location);
  }
  for (const char label : equation.result) {
    if (has(equation.operands[0], label) || has(equation.operands[1], label)) continue;
    throw_user_at(location, "equation '{}': label {} of the result stands in no operand", text,
                  label);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (const char label : equation.operands[i]) {
      if (has(equation.result, label) || has(equation.operands[1 - i], label)) continue;
      throw_user_at(location, "equation '{}': label {} stands in one operand only", text, label);
    }
  }
  return equation;
}

}  // namespace sinter::ir
