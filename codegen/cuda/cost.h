// What running a kernel as a loop nest is predicted to cost: ranks the generic schedule's configs
// and lets plan compare merges. Formulas only, no measurement: same inputs, same number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/cuda/loop_nest.h"
#include "codegen/target.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

/// `team` threads share one element of the parallel axes, `threads` make a block.
struct NestShape {
  std::int64_t team = 1;
  std::int64_t threads = 256;
};

/// Microseconds: launch + max(bytes / bandwidth, slots / issue rate) / utilization + the serial
/// chain of one thread.
///
///   bytes        each tensor once (or as much of it as is touched); a sector of 32 an element where
///                neighbouring lanes touch far ones, but for threads that walk along a fold by themselves
///   slots        per execution operator_slots an operator (the length of its expansion, if it has one), 4 a
///                load or store, for which the load/store units serve 32 lanes a clock where 128
///                can multiply; 200 where neighbouring lanes touch far elements: a line each; idle lanes of a team count
///   utilization  running threads / (512 a multiprocessor), at most 1
///   chain        0.02 us a step of the folded axes (latency of a cached load, 4 in flight), and
///                0.1 us a level of the tree
///
/// A fold takes at least the time that its threads, as many at a time as fit, wait for their loads (4 under way) and
/// their tree; what its blocks take: block_folds_us.
double predict_us(const ir::Kernel& kernel, const LoopNest& nest, const NestShape& shape,
                  const Target& target, const std::map<std::string, std::int64_t>& sizes);

/// Issue slots of one execution of a node that is no load or store.
double operator_slots(const ir::Kernel& kernel, const ir::KernelNode& node);
/// The same of a scalar operator whose operands are of type `dtype`, in a kernel like this one.
double scalar_slots(const ir::Kernel& kernel, ir::Op op, ir::DType dtype);

/// Microseconds that a plain copy of so many bytes, read and written together, takes.
double copy_us(double bytes, const Target& target);

/// Microseconds that so many blocks of 256 threads or so take beside what they read: starting, folding all threads'
/// shares of each of `folds` through shared memory, ending. Measured on an H200 (docs/benchmarks.md).
double block_folds_us(const ir::Kernel& kernel, const std::vector<ir::NodeId>& folds, double blocks,
                      const Target& target);

/// Of two amounts of work that overlap for the greater part.
double overlapped_us(double one_us, double other_us);

/// Bytes that a load or store moves: each element of its tensor once at most; a sector of 32 for each of its
/// elements where neighbouring lanes touch far ones.
double moved_bytes(const ir::Kernel& kernel, const ir::KernelNode& access,
                   const std::map<std::string, std::int64_t>& sizes, bool is_scattered);

/// The value of an expression of sizes; those that `sizes` does not name count as 1024.
double estimate(const ir::IndexExpr& expr, const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::codegen::cuda
