// Integer operators whose rules differ from LLVM's, without undefined behaviour (ops.def).
#pragma once

#include "codegen/llvm/lane_writer.h"

namespace sinter::codegen::llvm {

/// Rounded down; x // 0 = 0, INT_MIN // -1 wraps.
Register emit_floor_div(const LaneWriter& lanes, const Register& a, const Register& b);
/// With the divisor's sign; x % 0 = x.
Register emit_mod(const LaneWriter& lanes, const Register& a, const Register& b);
/// 0 where b is negative or at least the width.
Register emit_shift_left(const LaneWriter& lanes, const Register& a, const Register& b);
/// The sign (0 for unsigned types) where b is negative or at least the width.
Register emit_shift_right(const LaneWriter& lanes, const Register& a, const Register& b);

}  // namespace sinter::codegen::llvm
