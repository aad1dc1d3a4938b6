// Uses of operators that random graphs begin with, so that a run of enough graphs has every operator
// with every dtype on every layout, by construction.
#pragma once

#include <span>

#include "tests/support/graph_grower.h"

namespace sinter::tests {

/// Adds the use and notes the layout of its parameter; nullopt where no operands were found.
std::optional<ir::Value> grow_required(GraphGrower& grower, const RequiredUse& use,
                                       std::map<std::string, Layout>& layouts);

/// The operand that tells an operator's dtype and layout: the first, or what a select selects.
std::size_t principal_operand(ir::Op op);

/// Every operator that graphs may hold with every dtype that it accepts and every layout that such an
/// operand can have: each pair of operator and dtype once before any comes again. Found by trying, once.
std::span<const RequiredUse> all_required_uses();

/// Pairs of operator and dtype that the dtypes column accepts and for which no use was found.
std::span<const RequiredUse> impossible_uses();

}  // namespace sinter::tests
