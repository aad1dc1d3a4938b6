// A hand-written Program that copies a matrix tile by tile through the tensor-copy engine.
#pragma once

#include "codegen/program.h"

namespace sinter::tests {

inline constexpr std::int64_t kTileRows = 64;
inline constexpr std::int64_t kTileColumns = 32;

/// x: f32[rows, columns] with unit column stride, through shared memory, to y: the dense matrix with
/// both extents rounded up to whole tiles, where elements outside of x are what the engine fills in.
codegen::Program make_tensor_map_program(int swizzle_bytes, bool is_nan_outside = false);

}  // namespace sinter::tests
