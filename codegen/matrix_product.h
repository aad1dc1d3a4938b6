// Recognizes the matrix product in a kernel: which axes are rows, columns, summed and batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace sinter::codegen {

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

/// How a matrix operand or result lies in memory, in elements: one stride for each group of axes that
/// can be walked as one.
struct MatrixStrides {
  ir::IndexExpr batch, row, column;
};
/// Strides of what `offset`, an affine expression of axes, touches with these rows and columns;
/// nullopt where a group of axes has no common stride or the first element is not at 0.
std::optional<MatrixStrides> match_strides(const ir::Kernel& kernel, const ir::IndexExpr& offset,
                                           const MatrixProduct& product,
                                           const std::vector<ir::AxisId>& rows,
                                           const std::vector<ir::AxisId>& columns);

}  // namespace sinter::codegen
