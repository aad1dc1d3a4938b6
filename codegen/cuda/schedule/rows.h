// Chains of reductions over the same axes with anything pointwise before, between and after them, in one
// kernel: softmax, norms, losses. A team of threads has a row (one index of the other axes); all its
// reductions end in every thread of the team. And pointwise kernels, as rows without reductions.
//
// Where the class bounds a row's length, the row is read once and stays in registers, those of one thread up
// to those of a cluster's blocks; else each pass over the row reads it again. Where the class says that
// tensors are contiguous and aligned, elements are moved in vectors, also where rows begin at any element:
// their first and last vectors are incomplete then (`shifted`).
//
//   rows       blocks: a row, more than one form a cluster; team: threads of a block that share a row, a
//              power of two up to 32, or the block; threads: a block; vector: elements; items: vectors
//              that a thread has at once; keeps: 1 where these are the whole row; shifted: 1
//   pointwise  threads, vector
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

extern const Schedule kRowsSchedule;
extern const Schedule kPointwiseSchedule;

}  // namespace sinter::codegen::cuda
