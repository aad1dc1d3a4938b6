// Reductions, contractions and scans in a kernel's text: accumulators, one step, the tree over the
// threads of a team, results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cuda/kernel_text.h"

namespace sinter::codegen::cuda {

/// Whether several threads can share the fold. (A Function must fold
/// accumulators as it folds elements, so both need the same types.)
bool can_share_fold(const ir::Kernel& kernel, ir::NodeId fold);
/// Whether what several threads have folded can be folded: the same for scans, whose order is kept.
bool can_combine_parts(const ir::Kernel& kernel, ir::NodeId fold);

class FoldText {
 public:
  /// Refers to `text`; writes the reducer's Function, if there is one, ahead of the entry.
  FoldText(KernelText& text, ir::NodeId fold);

  /// Declares the accumulators with the identity. Contractions begin with +0.
  void emit_accumulators();
  /// The same for `count` sums at once, and the names of one of them from here on: sum `index`.
  void emit_accumulator_arrays(std::int64_t count);
  void emit_references(const std::string& index);
  /// Sets the accumulators to the identity again.
  void emit_reset();
  /// The operator that (value, position) are folded by, where it is such a fold (argmax: maximum).
  std::optional<ir::Op> extremum() const { return extremum_; }
  /// Accumulators as they are named, with the types they add up in.
  const std::vector<ScalarText>& accumulators() const { return accumulators_; }
  /// Folds one accumulator each of the same types in.
  void emit_merge(const std::vector<std::string>& others);
  /// Folds the current operands in. For a scan, also declares the results of this step.
  void emit_step();
  /// Adds up the accumulators of `team` threads (32 or a multiple: the whole block) in a fixed
  /// order; threads other than the first of the team return.
  void emit_team(std::int64_t team);
  /// The same, with the sum in every thread: `team` threads that lie side by side in a warp (a power of
  /// two), or the whole block. All threads of the block take part.
  void emit_all_team(std::int64_t team);
  /// Declares what emit_all_cluster needs of shared memory and initializes its barrier: ahead of what makes
  /// the blocks of a cluster wait for each other.
  void declare_cluster(std::int64_t blocks);
  /// Adds up what the blocks of a cluster hold, with the sum in every thread of all of them, in a fixed
  /// order. `rank` is the text of this block's. All blocks must be running (wait_blocks). Once a kernel.
  void emit_all_cluster(const std::string& rank);
  /// Roundings of a sum in emit_all_team and emit_all_cluster.
  static std::int64_t tree_depth(std::int64_t team, std::int64_t blocks);
  /// Binds the results of a reduction or contraction to the accumulators.
  void emit_results();

  // For scans across threads (scan_tree.h).

  /// Folds the current operands in; results of a scan are not declared.
  void emit_operands();
  /// left = left folded with right, in this order; both are variables, one each an accumulator.
  void emit_combine(const std::vector<std::string>& left, const std::vector<std::string>& right);
  std::string identity(std::size_t accumulator) const;
  /// Names of emit_accumulator_arrays.
  const std::vector<std::string>& arrays() const { return arrays_; }
  /// What another lane has of `text`: piece "shuffle_up" by a distance, "shuffle" of a lane, ...
  std::string shuffled(const std::string& piece, std::size_t accumulator, const std::string& text,
                       const std::string& argument);
  /// The accumulator's bits as u32, or u64 where it is wider; and back.
  std::string to_carrier(std::size_t accumulator, const std::string& text);
  std::string from_carrier(std::size_t accumulator, const std::string& text);
  bool is_wide(std::size_t accumulator) const;

 private:
  void emit_function(const ir::Graph& function);
  /// Folds values of types `elements` into the accumulators.
  void emit_fold(const std::vector<ScalarText>& elements);
  void emit_warp(const std::string& piece, std::int64_t lanes);
  /// The same for (extremum, position): the extremum first, then the lowest position of those that hold it.
  void emit_position_of_lanes(std::int64_t lanes);
  void emit_extremum_of_lanes(ir::Op extremum, std::size_t accumulator, std::int64_t lanes);
  /// Folds part(accumulator, 0) to part(accumulator, count - 1) in this order, in a loop over `index`.
  void emit_sequence(const std::string& index, std::int64_t count,
                     const std::function<std::string(std::size_t, const std::string&)>& part);
  /// Leaves the warps' sums in shared memory; returns their names, one a warp.
  std::vector<std::string> emit_partials(std::int64_t warps, const std::string& thread);

  struct Cluster {
    std::string barrier;
    std::vector<std::string> sums;  // by accumulator, of each block
    std::int64_t blocks = 0;
  };

  KernelText& text_;
  ir::NodeId id_;
  const ir::KernelNode& node_;
  ir::Reducer reducer_;  // op None for contractions
  std::optional<ir::Op> extremum_;
  std::string function_name_;
  std::vector<ScalarText> accumulators_;
  std::vector<std::string> arrays_;
  Cluster cluster_;
};

}  // namespace sinter::codegen::cuda
