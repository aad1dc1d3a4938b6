// Which operands and results of a matrix product BLAS can take from, and leave in, the call's memory.
#pragma once

#include "codegen/matrix_product.h"
#include "ir/facts.h"

namespace sinter::codegen::llvm {

/// A matrix in memory as BLAS takes it: one of the strides is 1, the other no less than the length
/// of a line.
struct MatrixLayout {
  std::int64_t param = 0;
  MatrixStrides strides;
};
/// Layout of an operand with these rows and columns, where it is a plain load of the product's type
/// that Facts place so.
std::optional<MatrixLayout> match_layout(const ir::Kernel& kernel, const ir::Facts& facts,
                                         const MatrixProduct& product, ir::Value operand,
                                         const std::vector<ir::AxisId>& rows,
                                         const std::vector<ir::AxisId>& columns);

/// The parameter that a store fills densely in the order rows, n with elements of the product's
/// type; nullopt where no store does.
std::optional<std::int64_t> match_dense_output(const ir::Kernel& kernel, const ir::Facts& facts,
                                               const MatrixProduct& product);

}  // namespace sinter::codegen::llvm
