// LLVM values as text: an SSA name or a constant with its dtype and number of lanes, and the types
// that dtypes have in registers and in memory.
//
//   dtype              register  memory
//   bool               i1        i8 (0 or 1)
//   integers           iN        iN
//   f8, f16, bf16      iN        iN (the bits; arithmetic is on f32)
//   f32, f64           float, double
#pragma once

#include <string>

#include "ir/literal.h"

namespace sinter::codegen::llvm {

/// `width` 1 is a scalar, else a vector of so many lanes.
struct Register {
  std::string text;
  ir::DType dtype = ir::DType::F32;
  int width = 1;
};

/// "i1", "i32", "float": type of one lane in a register.
std::string lane_type(ir::DType dtype);
/// "i8", "i32", "float": type of one element in memory.
std::string memory_type(ir::DType dtype);
/// "<8 x float>", or the lane type itself for width 1.
std::string vector_type(const std::string& lane, int width);
/// Type of the register.
std::string type_of(const Register& value);
/// Suffix of overloaded intrinsics: "f32", "v8i64".
std::string intrinsic_suffix(ir::DType dtype, int width);
/// One lane's constant: "true", "-3", "0x3FF0000000000000" (f32 constants are written as the f64 of
/// the same value, NaN payloads shifted).
std::string lane_text(const ir::Literal& literal);

}  // namespace sinter::codegen::llvm
