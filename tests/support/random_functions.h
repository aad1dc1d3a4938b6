// Functions that random reductions and scans fold with.
#pragma once

#include "ir/attributes.h"

namespace sinter::tests {

/// maximum(accumulator, |element|), from 0.
ir::Reducer make_largest_magnitude(ir::DType dtype);
/// Largest value and its i64 index, the lowest one on ties; from the lowest value and the highest
/// index. NaN is passed over.
ir::Reducer make_argmax(ir::DType dtype);

}  // namespace sinter::tests
