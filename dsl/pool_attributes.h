// What operators over sliding windows take from their options.
#pragma once

#include "dsl/composite.h"
#include "sinter/pooling.h"

namespace sinter::dsl {

/// The `count` dimensions that slide in this layout. UserError at `a` where it has fewer, or for
/// another layout.
std::vector<std::int64_t> sliding_axes(ir::Op op, const Operand& a, std::size_t count,
                                       const std::string& layout);

/// Attributes of a pool of `a`: all but those that its fold needs.
ir::Attributes pool_attributes(ir::Op op, const Operand& a, const std::vector<std::int64_t>& window,
                               const PoolOptions& options);

}  // namespace sinter::dsl
