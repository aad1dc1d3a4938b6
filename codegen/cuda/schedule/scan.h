// Kernels with one scan and anything pointwise ahead of it and behind it: running sums, products, extremes, sums of
// exponentials, user functions. Everything is read once. Where order is fixed (strict mode) only folds that are exact
// in any order are taken.
//
// Along memory (rows): a team of threads has a row and walks it in chunks. Each thread folds runs of neighbouring
// elements, one vector each; shuffles and shared memory tell it what is ahead of them; then it folds its runs once
// more on top of that, and stores. The next chunk is loaded meanwhile. Few long rows are shared out among blocks in
// parts instead, which hand their folds on through memory (scan_chain.h).
//
// Down memory (columns): a thread has a vector of neighbouring columns. Where columns are many it walks down them
// alone, else the threads of a block share out the steps, or all blocks share parts of them.
//
//   config   columns: 1 or 0; threads: a block; team: threads that share a row (up to 32, or the block), or that lie
//            side by side in columns (the block: each alone, or up to 32); vector: elements of an access; run:
//            elements of a thread that lie side by side; items: runs at once; once: 1 where these are the whole
//            row; blocks: that share the parts, or 0; shifted: 1
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

extern const Schedule kScanSchedule;

}  // namespace sinter::codegen::cuda
