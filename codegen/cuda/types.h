// C types, literals and conversions of element types in generated CUDA text.
//
//   dtype           in memory    as a value
//   bool            u8, 0 or 1   bool
//   narrow floats   their bits   their bits (typedefs f8e4m3, f8e5m2, f16, bf16)
//   f32, f64        float, double
//   integers        i8 ... u64
#pragma once

#include <string>

#include "codegen/cuda/pieces.h"
#include "ir/dtype.h"
#include "ir/literal.h"

namespace sinter::codegen::cuda {

std::string memory_type(ir::DType dtype, PieceSet& pieces);
std::string value_type(ir::DType dtype, PieceSet& pieces);

/// An exact C expression of value_type(literal.dtype).
std::string emit_literal(const ir::Literal& literal, PieceSet& pieces);

/// ops.def "cast": `value` of type `from` as one of type `to`, rounded once.
std::string emit_cast(const std::string& value, ir::DType from, ir::DType to, PieceSet& pieces);

/// ops.def "bitcast", for types of the same width.
std::string emit_bitcast(const std::string& value, ir::DType from, ir::DType to, PieceSet& pieces);

}  // namespace sinter::codegen::cuda
