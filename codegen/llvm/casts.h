// Conversions between all dtypes (ops.def, Cast).
#pragma once

#include "codegen/llvm/lane_writer.h"

namespace sinter::codegen::llvm {

/// A value of this dtype already stays as it is.
Register emit_cast(const LaneWriter& lanes, const Register& value, ir::DType dtype);

/// The operator `cast`: also from a dtype to itself, where f8e5m2 saturates its infinities.
Register emit_cast_operator(const LaneWriter& lanes, const Register& value, ir::DType dtype);

/// The same bits as another dtype of the same width; a bool is a byte of 0 or 1, any other byte is
/// true.
Register emit_bitcast(const LaneWriter& lanes, const Register& value, ir::DType dtype);

/// The value in the type that arithmetic is done in: f32 for narrow floats, else as it stands.
Register emit_compute_value(const LaneWriter& lanes, const Register& value);

/// An integer or bool of any type as i64, as index expressions need it.
Register emit_index_value(const LaneWriter& lanes, const Register& value);

}  // namespace sinter::codegen::llvm
