// Running sums of exponentials that do not overflow, as logcumsumexp folds and its derivative finds them.
#pragma once

#include "ir/define/expr.h"

namespace sinter::ir {

/// Of a scan over (x, 1): the largest x so far, and the sum of e^(x - largest), at least 1; of none -inf
/// and 0.
Reducer exponential_reducer(DType dtype);

}  // namespace sinter::ir
