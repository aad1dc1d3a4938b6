// Windows that slide over some dimensions, as convolutions and pooling share them.
#pragma once

#include "ir/define/composite.h"

namespace sinter::ir {

/// One entry a dimension in each list.
struct Windows {
  Integers axes;
  Integers window;    // elements, at least 1
  Integers step;      // from window to window, at least 1
  Integers dilation;  // from element to element, at least 1
  Integers low;       // padding before; negative: cropped
  Integers high;      // and after
  bool rounds_up = false;

  std::size_t size() const { return axes.size(); }
  /// Elements from a window's first to its last, both counted.
  std::int64_t span(std::size_t d) const { return dilation[d] * (window[d] - 1) + 1; }
};

/// Attributes step (`default_step` or, where that is 0, the window), dilation, pad_low, pad_high and
/// ceil_mode over these dimensions. UserError where a list has another length, or a number is out of
/// range.
Windows windows_of(const Call& call, Integers axes, Integers window, std::int64_t default_step);

/// How many windows a dimension of this extent has.
Dim window_places(const Windows& windows, std::size_t d, const Dim& extent);

/// The windows of the padded operand: their places instead of the dimensions, their elements as new
/// last dimensions.
Expr unfold_padded(const Expr& a, const Windows& windows, const Literal& outside);

/// The windows of the operand as it stands.
Expr unfold(const Expr& a, const Windows& windows);

/// `step - 1` zeros after each element of a dimension.
Expr spread(const Expr& a, std::int64_t axis, std::int64_t step);

/// The index along `axis` of tensors of this rank: i64 of extent 1 in all other dimensions.
Expr index_along(const Expr& like, std::int64_t axis, const Dim& extent, std::size_t rank);

/// Elements of one dimension at integer indices of rank 1 or more, whose dimensions take the place of
/// the dimension. An index outside reads 0.
Expr take(const Expr& a, std::int64_t axis, const Expr& index);

/// Attribute shape: one extent for each of these dimensions. UserError where they are not as many, or
/// one is below 1.
Shape target_extents(const Call& call, const Integers& axes);

}  // namespace sinter::ir
