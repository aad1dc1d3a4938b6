// Recognizes the matrix product in a kernel: which axes are rows, columns, summed and batch, and how
// its operands and result lie in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

/// C[batch, m, n] = sum over k of A[batch, m, k]·B[batch, k, n], each a list of axes, the last
/// fastest. `rows` are batch and m together.
struct MatrixProduct {
  ir::NodeId contract = 0;
  ir::Value a, b;
  std::vector<ir::AxisId> batch, m, n, k;

  std::vector<ir::AxisId> rows() const;
};

/// The kernel's only fold as a matrix product; nullopt, with the reason in `why_not`, where it is
/// none.
std::optional<MatrixProduct> match_matrix_product(const ir::Kernel& kernel, std::string& why_not);

/// A matrix in memory as BLAS takes it: one of the strides is 1, the other no less than the length
/// of a line.
struct MatrixLayout {
  std::int64_t param = 0;
  ir::IndexExpr batch_stride, row_stride, column_stride;
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

/// Number of elements of the axes, and position within them.
ir::IndexExpr extent_of(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes);
ir::IndexExpr flat_index(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes);

}  // namespace sinter::codegen::llvm
