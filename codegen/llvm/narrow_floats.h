// f8, f16 and bf16 to and from f32: in integer code, or by an instruction where the target has one.
// Bit-exact with ir::encode_float and decode_float, subnormals included; NaN stays NaN.
#pragma once

#include "codegen/llvm/lane_writer.h"

namespace sinter::codegen::llvm {

/// The bits of a narrow float, as f32 (exact).
Register widen_narrow(const LaneWriter& lanes, const Register& value);
/// An f32 as the bits of `dtype`, to nearest even; f8 saturates.
Register round_to_narrow(const LaneWriter& lanes, const Register& value, ir::DType dtype);
/// An f64 as an f32 that keeps a set lowest bit where bits were lost (round to odd): rounding it
/// again to a narrow float gives what rounding the f64 once would have given.
Register round_to_odd(const LaneWriter& lanes, const Register& value);

}  // namespace sinter::codegen::llvm
