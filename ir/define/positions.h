// Where the largest or smallest element stands, as argmax and argmin fold it and schedules know it again.
#pragma once

#include <optional>

#include "ir/attributes.h"

namespace sinter::ir {

/// Of a reduction over (x, its index): the extremum (Maximum or Minimum) and the lowest index of an element that
/// is equal to it, or NaN where the extremum is. Any order of folding gives the same. Of none the worst
/// value, and an index behind every other.
Reducer position_reducer(Op extremum, DType dtype, DType index);

/// The extremum for which it is such a reducer, if it is one.
std::optional<Op> position_extremum(const Reducer& reducer);

}  // namespace sinter::ir
