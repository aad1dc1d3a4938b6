// What several rules of folds share.
#pragma once

#include "ir/define/expr.h"

namespace sinter::ir {

/// The gradient `g` of reduction `op` (max or min) of `a` over the axes: to the elements that equal the
/// result, in equal parts.
Expr share_extreme(const Expr& g, const Expr& a, Op op, const Integers& axes);

}  // namespace sinter::ir
