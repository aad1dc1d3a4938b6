// Unevaluated sums of two floats, for intermediate results that need more than one holds.
// T. J. Dekker, A floating-point technique for extending the available precision (1971), with fma.
#pragma once

#include "codegen/expand/scalar_builder.h"

namespace sinter::codegen {

/// The value high + low, |low| small beside |high| but not always below half its last place.
struct Pair {
  ir::Value high;
  ir::Value low;
};

/// a + b exactly, where a = 0 or |a| >= |b|. 3 operators.
Pair add_exactly(ScalarBuilder& builder, ir::Value a, ir::Value b);
/// a b exactly. 3 operators.
Pair multiply_exactly(ScalarBuilder& builder, ir::Value a, ir::Value b);

/// a + b, where a.high = 0 or |a.high| >= |b.high|. 5 operators.
Pair add(ScalarBuilder& builder, const Pair& a, const Pair& b);
/// a b without the product of the low parts. 5 operators.
Pair multiply(ScalarBuilder& builder, const Pair& a, const Pair& b);

}  // namespace sinter::codegen
