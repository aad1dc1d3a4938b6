// Reads and writes at indices that are data, and sorting. Indices are integer tensors; one outside of
// [0, n) reads 0 and writes nothing (so negative ones do not count from the end). Axes do.
#pragma once

#include "sinter/tensor.h"

namespace sinter {

// Reads.

/// The slices at `index` along `axis`, whose dimensions stand in its place.
Tensor take(const Operand& a, const Operand& index, int axis = 0);
/// take along the first dimension: one row of the table for each index.
Tensor embedding(const Operand& table, const Operand& index);
/// result[i][j] = a[index[i][j]][j] (for axis 0 of rank 2); other dimensions broadcast.
Tensor take_along_axis(const Operand& a, const Operand& index, int axis);
/// 1 where the index along a new last dimension is the element, else 0.
Tensor one_hot(const Operand& index, std::int64_t count, DType dtype = DType::I64);

// Writes: a with some elements changed. Each element of the result looks through all updates along
// `axis`: the same result always, at n * m steps.

/// a[index[i][j]][j] = updates[i][j] (for axis 0 of rank 2); of several the last along `axis` stays.
Tensor scatter(const Operand& a, const Operand& index, const Operand& updates, int axis);
/// The same with +=.
Tensor scatter_add(const Operand& a, const Operand& index, const Operand& updates, int axis);
/// Whole slices: index has one dimension. a[index[i]] = updates[i], and +=.
Tensor index_put(const Operand& a, const Operand& index, const Operand& updates, int axis = 0);
Tensor index_add(const Operand& a, const Operand& index, const Operand& updates, int axis = 0);

// Sorting: stable, and the same always, at n * n steps.

/// NaN comes last, in both orders.
Tensor sort(const Operand& a, int axis = -1, bool descending = false);
/// The indices that sort, as i64.
Tensor argsort(const Operand& a, int axis = -1, bool descending = false);

struct TopK {
  Tensor values;
  Tensor indices;  // i64
};
/// The `count` largest (or smallest), the most extreme first. NaN counts as the extreme, as in max and
/// argmax; the first of equals comes first.
TopK topk(const Operand& a, std::int64_t count, int axis = -1, bool largest = true);

/// How many elements of `sorted` come before each value, or not after it with `right`; i64. `sorted`
/// has one dimension, or as many as the values and is searched along its last.
Tensor searchsorted(const Operand& sorted, const Operand& values, bool right = false);

}  // namespace sinter
