// Scalar operators of ops.def as LLVM instructions.
#pragma once

#include <span>

#include "codegen/llvm/lane_writer.h"
#include "ir/attributes.h"

namespace sinter::codegen::llvm {

/// The result of `op` in every lane; operands have the lane writer's width. Narrow floats compute
/// in f32 and round once. Elementary functions have been expanded before (codegen/expand).
Register emit_scalar(const LaneWriter& lanes, ir::Op op, std::span<const Register> operands,
                     const ir::Attributes& attributes);

/// Minimum or maximum of an f32 or f64 and a constant that is neither zero nor NaN: no sign of a zero and
/// no second NaN to look after.
Register emit_limit(const LaneWriter& lanes, ir::Op op, const Register& value,
                    const Register& constant);

}  // namespace sinter::codegen::llvm
