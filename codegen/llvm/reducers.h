// How reduce, contract and scan fold: accumulators, their first values, one step, and the
// combination of partial results.
#pragma once

#include <span>
#include <vector>

#include "codegen/kernel_queries.h"
#include "codegen/llvm/lane_writer.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

/// Whether the fold is by a Function.
bool has_function(const ir::KernelNode& node);
/// True where partial results may be combined in any order: one commuting operator, a sum of products, or
/// a Function whose elements have the types of its accumulators; and not in strict mode, which fixes the
/// order.
bool may_reorder(const ir::Kernel& kernel, const ir::KernelNode& node);

/// First values of the accumulators, which have the types that the fold computes in (f32 for sums
/// of narrow floats).
std::vector<ir::Literal> fold_identities(const ir::KernelNode& node);
/// The accumulators after one more element of each operand.
std::vector<Register> emit_fold_step(const LaneWriter& lanes, const ir::KernelNode& node,
                                     const std::vector<Register>& accumulators,
                                     const std::vector<Register>& elements);
/// Combines the accumulators of two parts of a fold that may_reorder, b's elements standing after a's.
std::vector<Register> emit_combine(const LaneWriter& lanes, const ir::KernelNode& node,
                                   const std::vector<Register>& a, const std::vector<Register>& b);
/// Combines the lanes of vector accumulators, halves first: a fixed order.
std::vector<Register> emit_combine_lanes(const LaneWriter& lanes, const ir::KernelNode& node,
                                         const std::vector<Register>& accumulators);
/// The accumulators in the node's result types.
std::vector<Register> emit_fold_results(const LaneWriter& lanes, const ir::KernelNode& node,
                                        const std::vector<Register>& accumulators);

}  // namespace sinter::codegen::llvm
