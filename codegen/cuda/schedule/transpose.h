// Kernels without folds in which some tensors lie along one axis and others along another: transposed operands
// and results, permutations of any rank, with pointwise work on both sides. A block has a tile of two lines of
// axes: a, the fastest of the stores, and b, the fastest of what lies across. The other axes are rows of tiles.
//
//   along    operands and results that are dense along a go straight between memory and registers
//   across   those that are dense along b are read in vectors along b, put into shared memory as words, and
//            read from there along a; results across go the same way back, behind a second barrier
//   single   what is neither (broadcasts, gathered elements, predicates) is moved by elements
//
// A word has one element of at least 4 bytes, or as many narrow ones that are neighbours along a as fill 4
// bytes: a thread loads that many vectors side by side and transposes their squares in registers
// (transpose_2, transpose_4), so that all dtypes lie in shared memory as f32 does. One row of the tile in shared
// memory has the words of one place along a. Two kinds of access meet there, and neither has bank conflicts:
//
//   put      16 bytes a lane, lanes next to each other along b: 8 lanes at a time need 8 chunks of 16 bytes in
//            different banks
//   fetch    4 bytes a lane; 8 lanes are neighbouring vectors along a, the other index of lanes are the 4 words
//            of one chunk
//
// The chunk at place c of the row of vector v (along a) lies at c ^ ((v ^ c / 8) % 8): lanes of a fetch differ in
// v, so in their chunk; lanes of a put differ in c by 1 (f32), 2 (16-bit) or 4 (8-bit dtypes), where c / 8 brings
// the rest apart. Where both are single words, word b lies at b ^ (a % 32).
//
// All that a thread reads from memory is asked for before the barrier, several vectors of each tensor; some
// blocks share a multiprocessor, so that one reads while others write. What limits it is memory.
//
// Classes: contiguous tensors with whole vectors along both lines, along one of them, or along none; of 32-bit
// indices or not; and tensors of any strides, by elements, with one axis a line.
//
//   config   tile_a, tile_b: elements of a tile; vector_a, vector_b: of vectors along each line (vector_b for the
//            narrowest, 16 bytes at most of others); b_first: 1: neighbouring blocks are neighbours along b;
//            threads: a block
#pragma once

#include "codegen/cuda/schedule/transpose_kernel.h"
#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

/// Vectors of each line.
struct TileVectors {
  std::int64_t a = 1, b = 1;
  friend bool operator==(const TileVectors&, const TileVectors&) = default;
};

/// Lanes of a warp that are neighbours along line a, a vector each; the other index of lanes is along b.
std::int64_t lanes_along(const ir::Kernel& kernel, const TransposeKernel& tiles,
                         const TileVectors& vectors);

Program emit_transpose(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                       const Target& target);

extern const Schedule kTransposeSchedule;

}  // namespace sinter::codegen::cuda
