// The dtypes that operators take.
#pragma once

#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

/// What the dtypes column of `op` says, for messages: "numbers, not bool".
std::string_view describe_dtypes(Op op);

/// UserError at `location` unless the operands have dtypes that `op` takes, and one dtype where a pointwise
/// operator needs that. Shapes are not looked at, only named: those of before a broadcast will do.
void check_operand_dtypes(Op op, const std::vector<Type>& types, const SourceLocation& location);

}  // namespace sinter::ir
