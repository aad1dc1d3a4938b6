// Sums of products in general. Operands have one dtype; small integers and f8 add up as in matmul.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinter/tensor.h"

namespace sinter {

/// Sum of products over all labels that the result has not: "bij,bjk->bik", "ii->i", "ij,jk,kl->il".
/// Labels are letters, one a dimension; a letter that stands twice in an operand takes its diagonal.
/// "..." stands for any further dimensions, which align at the right and broadcast: "...ij,jk->...ik".
/// Without "->" the result has "...", then the letters that stand once in all, sorted. More than two operands
/// are multiplied two at a time: those with the smallest product first where all extents are
/// numbers, else from left to right. UserError for an equation that does not fit.
Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands,
              Precision precision = Precision::Split, const char* file = __builtin_FILE(),
              int line = __builtin_LINE());

/// x [..., in], weight [out, in], bias [out]: x * weight^T + bias, [..., out].
Tensor linear(const Operand& x, const Tensor& weight, const std::optional<Tensor>& bias = {},
              Precision precision = Precision::Split);

/// [m], [n] -> [m, n].
Tensor outer(const Operand& a, const Tensor& b);

/// Sums over dimension a_axes[i] of a with b_axes[i] of b, for all i; the other dimensions of a, then
/// those of b, stay.
Tensor tensordot(const Operand& a, const Tensor& b, const std::vector<int>& a_axes,
                 const std::vector<int>& b_axes, Precision precision = Precision::Split);

/// Rows offsets[g] to offsets[g + 1] of x [rows, k] times matrix g of w [groups, k, n] -> [rows, n], as
/// the experts of a mixture take their rows. offsets: integers [groups + 1] that do not fall; rows
/// before the first and from the last on give 0.
Tensor grouped_matmul(const Operand& x, const Tensor& w, const Tensor& offsets,
                      Precision precision = Precision::Split);

}  // namespace sinter
