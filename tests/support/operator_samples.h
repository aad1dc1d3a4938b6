// Operands and attributes for composites that take more than elementwise ones do.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

struct OperatorSample {
  std::vector<ir::Type> operands;
  ir::Attributes attributes;
};

/// Small uses of `op` on a first operand of `dtype`, in different forms; empty where operands of equal
/// shapes and any attributes do.
std::vector<OperatorSample> samples_of(ir::Op op, ir::DType dtype);

}  // namespace sinter::tests
