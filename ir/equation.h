// Equations of products: the labels of the dimensions of two operands and of the result, "ij,jk->ik".
#pragma once

#include <array>
#include <string>

#include "sinter/error.h"

namespace sinter::ir {

struct Equation {
  std::array<std::string, 2> operands;  // one label a dimension
  std::string result;
  /// Labels that are summed over, in the first operand's order.
  std::string contracted() const;
};

/// UserError at `location` unless the labels are letters, none stands twice in one place, those of
/// the result stand in an operand, and all others in both.
Equation parse_equation(const std::string& text, const SourceLocation& location);

}  // namespace sinter::ir
