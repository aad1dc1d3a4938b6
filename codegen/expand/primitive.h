// Exact semantics of the primitive scalar operators on bit patterns, one at a time.
#pragma once

#include <array>
#include <cstdint>

#include "ir/op.h"

namespace sinter::codegen {

/// Bit patterns of up to three operands; those that an operator lacks are ignored.
using OperandBits = std::array<std::uint64_t, 3>;

/// The bits of `op` on operands of `dtype` (select: of its second and third). InternalError where
/// `op` is none of neg to fma in ops.def, has an expansion, or does not take `dtype`.
std::uint64_t evaluate_primitive(ir::Op op, ir::DType dtype, const OperandBits& operands);

/// Integers and bool only: a part of the above.
std::uint64_t evaluate_integer(ir::Op op, ir::DType dtype, const OperandBits& operands);

/// Conversion of a literal, by the rule of `cast` in ops.def.
ir::Literal evaluate_cast(const ir::Literal& literal, ir::DType dtype);

}  // namespace sinter::codegen
