// One operator on numbers, by the constant folder.
#pragma once

#include <vector>

#include "codegen/expand/expand.h"

namespace sinter::tests {

/// op of the operands, each rounded to `dtype`.
inline ir::Literal compute(ir::Op op, ir::DType dtype, const std::vector<double>& operands) {
  std::vector<ir::Literal> literals;
  for (const double x : operands) literals.push_back(ir::make_literal(dtype, x));
  return codegen::evaluate_scalar(op, literals, {});
}

}  // namespace sinter::tests
