// Views and movement beyond tensor.h: shapes, parts, copies, padding and joining. Negative axes count
// from the end. Views move nothing; the others become reads at computed places, fused into what uses
// them.
#pragma once

#include <vector>

#include "sinter/tensor.h"

namespace sinter {

// Views.

/// Dimensions begin to end, both included, become one. Rank 0 gives one element.
Tensor flatten(const Operand& a, int begin = 0, int end = -1);
/// Removes these dimensions, which are the number 1; none named: all that are.
Tensor squeeze(const Operand& a, const std::vector<int>& axes = {});
/// broadcast_to where -1 stands for the operand's own extent.
Tensor expand(const Operand& a, const std::vector<Dim>& shape);
/// Reverses these dimensions; none named: all.
Tensor flip(const Operand& a, const std::vector<int>& axes = {});
/// Consecutive parts of these extents, which add up to that of the dimension; checked in each call
/// where it depends on the sizes.
std::vector<Tensor> split(const Operand& a, const std::vector<Dim>& extents, int axis = 0);
/// `count` equal parts; the extent is a multiple of it.
std::vector<Tensor> chunk(const Operand& a, int count, int axis = 0);
/// Each element `count` times, one beside the other.
Tensor repeat_interleave(const Operand& a, const Dim& count, int axis);
/// The whole several times along each dimension; the last entry is for the last dimension, further
/// ones make new first dimensions.
Tensor tile(const Operand& a, const std::vector<Dim>& repeats);
/// Elements (i, i + offset) of two dimensions, as the last dimension; below the main diagonal where
/// offset < 0.
Tensor diagonal(const Operand& a, std::int64_t offset = 0, int row_axis = -2, int column_axis = -1);
/// Sliding windows: dimension axes[d] becomes the windows' places, step[d] apart; the elements of a
/// window, dilation[d] apart, are new last dimensions of extent window[d]. Steps and dilations are 1
/// unless given.
Tensor unfold(const Operand& a, const std::vector<int>& axes,
              const std::vector<std::int64_t>& window, const std::vector<std::int64_t>& step = {},
              const std::vector<std::int64_t>& dilation = {});

// Padding.

/// Elements before and after a dimension; negative ones crop.
struct PadWidth {
  Dim before = 0;
  Dim after = 0;
};
/// One width a dimension; `value` is a host literal.
Tensor pad(const Operand& a, const std::vector<PadWidth>& widths, const Operand& value = 0);
/// Mirrored at the first and last element, which are not repeated. Any width: it goes back and forth.
Tensor pad_reflect(const Operand& a, const std::vector<PadWidth>& widths);
/// The nearest element.
Tensor pad_replicate(const Operand& a, const std::vector<PadWidth>& widths);
/// Counted round. An empty dimension gives 0 here, and in the two above.
Tensor pad_circular(const Operand& a, const std::vector<PadWidth>& widths);

// Joining.

/// One after the other along `axis`: [n] and [m] give [n + m].
Tensor concat(const std::vector<Tensor>& tensors, int axis = 0, const char* file = __builtin_FILE(),
              int line = __builtin_LINE());
/// Side by side along a new dimension `axis`.
Tensor stack(const std::vector<Tensor>& tensors, int axis = 0, const char* file = __builtin_FILE(),
             int line = __builtin_LINE());

// Others.

/// result[i] = a[(i - offset) mod n].
Tensor roll(const Operand& a, std::int64_t offset, int axis);
/// 0 above (below) the diagonal column = row + offset of the last two dimensions.
Tensor tril(const Operand& a, std::int64_t offset = 0);
Tensor triu(const Operand& a, std::int64_t offset = 0);
/// bool [rows, columns]: column <= row + offset. With offset columns - rows the last row sees all.
Tensor causal_mask(const Dim& rows, const Dim& columns, const Dim& offset = 0,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace sinter
