// What a config of the schedule rows is predicted to cost.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codegen/cuda/line_access.h"
#include "codegen/cuda/schedule/row_kernel.h"
#include "codegen/target.h"

namespace sinter::codegen::cuda {

/// Figures of a class that its candidates share.
struct RowClass {
  const ir::Kernel& kernel;
  const RowKernel& rows;
  const Target& target;
  LineVectors vectors;
  /// Bytes of registers that an element takes while its row is kept: from the first pass on, and loaded later.
  std::int64_t kept_bytes = 4, late_bytes = 0;
  double copied_us = 0;        // each tensor once
  double copied_again_us = 0;  // in each pass
  double count = 1, length = 1;
  double access_bytes = 4;         // of a lane's vector of the widest tensor
  std::int64_t element_bytes = 4;  // of the widest value along the row, as it is computed
  double lines = 0;                // of the cache, in all tensors together
  double slots = 1;                // instructions of an element
};

/// Threads that share a row: `team` of a block of `threads`, in so many `blocks`; `items` vectors each.
struct Team {
  std::int64_t blocks, team, threads, items;
  bool keeps;  // the row in registers
};

/// For sizes of about `sizes`. Refers to all that it is given.
RowClass make_row_class(const ir::Kernel& kernel, const RowKernel& rows, const LineVectors& vectors,
                        const Target& target, const std::map<std::string, std::int64_t>& sizes);

/// Bytes that all accesses move, each tensor's elements once a pass that reads them.
double bytes_of_rows(const ir::Kernel& kernel, const RowKernel& rows,
                     const std::map<std::string, std::int64_t>& sizes, double passes);

/// Registers that a thread needs for so many vectors of the row, as ptxas was seen to need them: what is kept, twice
/// that where it is packed, a vector that is worked on, addresses.
std::int64_t needed_registers(const RowClass& row_class, std::int64_t items);

/// Registers that a thread of such a block can have: warps lie on four parts of a multiprocessor.
std::int64_t allowed_registers(std::int64_t threads);

/// The greatest of: memory and instructions, which overlap but for a part; the waiting of one row's threads for memory
/// and each other, in as many batches of blocks as follow each other, beside a share of the former; the starting of
/// blocks. Found on an H200 (docs/benchmarks.md, row sweep).
double predict_us(const RowClass& row_class, const Team& team);

}  // namespace sinter::codegen::cuda
