// Two sizes and two axes, as the tests of this folder write them.
#pragma once

#include <string>
#include <vector>

#include "ir/index_expr.h"

namespace sinter::tests::symbols {

inline const ir::IndexExpr m = ir::IndexExpr::size("m");
inline const ir::IndexExpr n = ir::IndexExpr::size("n");
inline const ir::IndexExpr i = ir::IndexExpr::axis(0);
inline const ir::IndexExpr j = ir::IndexExpr::axis(1);

/// The names of the sizes, for forms that know them by place.
inline const std::vector<std::string> kSizeNames = {"m", "n"};

}  // namespace sinter::tests::symbols
