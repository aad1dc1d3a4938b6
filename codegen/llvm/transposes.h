// Transposing a square of elements that is held in vector registers.
#pragma once

#include <vector>

#include "codegen/llvm/lane_writer.h"

namespace sinter::codegen::llvm {

/// n registers of n lanes each (a power of two) -> n registers: lane r of result c is lane c of row r.
std::vector<Register> emit_transpose(const LaneWriter& lanes, const std::vector<Register>& rows);

}  // namespace sinter::codegen::llvm
