// Scalar operators as C expressions: one switch over all of ops.def, shared by every schedule.
#pragma once

#include <span>
#include <string>

#include "codegen/cuda/pieces.h"
#include "ir/dtype.h"
#include "ir/op.h"

namespace sinter::codegen::cuda {

/// A value in the text: a name, a literal or a parenthesised expression of value_type(dtype).
struct ScalarText {
  std::string text;
  ir::DType dtype = ir::DType::F32;
};

/// `op` of `operands` as an expression of value_type(result). Narrow floats compute in f32 and are
/// rounded to `result`. InternalError for operators that are not scalar or should have been expanded
/// (codegen/expand).
std::string emit_scalar(ir::Op op, std::span<const ScalarText> operands, ir::DType result,
                        PieceSet& pieces);

/// a * b + c in the type of `c`, to which a and b are converted: one step of a contraction. Floats
/// round once, integers wrap.
std::string emit_multiply_add(const ScalarText& a, const ScalarText& b, const ScalarText& c,
                              PieceSet& pieces);

}  // namespace sinter::codegen::cuda
