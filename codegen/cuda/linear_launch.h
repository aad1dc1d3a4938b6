// The launch of blocks in a row, each with its share of one flat sequence.
#pragma once

#include "codegen/program.h"

namespace sinter::codegen::cuda {

/// `blocks` blocks of `threads` threads. Where indices are 64 bits wide (not `is_narrow`) the grid is
/// two-dimensional, with rows of 2^30 blocks, and the last row may hold blocks beyond the sequence.
LaunchRecipe make_linear_launch(const ir::IndexExpr& blocks, std::int64_t threads, bool is_narrow);

}  // namespace sinter::codegen::cuda
