// Reductions, contractions and scans in a kernel's text: accumulators, one step, the tree over the
// threads of a team, results.
#pragma once

#include <string>
#include <vector>

#include "codegen/cuda/kernel_text.h"

namespace sinter::codegen::cuda {

/// Whether several threads can share the fold. (A Function must fold
/// accumulators as it folds elements, so both need the same types.)
bool can_share_fold(const ir::Kernel& kernel, ir::NodeId fold);

class FoldText {
 public:
  /// Refers to `text`; writes the reducer's Function, if there is one, ahead of the entry.
  FoldText(KernelText& text, ir::NodeId fold);

  /// Declares the accumulators with the identity. Contractions begin with +0.
  void emit_accumulators();
  /// Folds the current operands in. For a scan, also declares the results of this step.
  void emit_step();
  /// Adds up the accumulators of `team` threads (32 or a multiple: the whole block) in a fixed
  /// order; threads other than the first of the team return.
  void emit_team(std::int64_t team);
  /// Binds the results of a reduction or contraction to the accumulators.
  void emit_results();

 private:
  void emit_function(const ir::Graph& function);
  /// Folds values of types `elements` into the accumulators.
  void emit_fold(const std::vector<ScalarText>& elements);
  void emit_merge(const std::vector<std::string>& others);
  std::string shuffled(std::size_t accumulator);

  KernelText& text_;
  ir::NodeId id_;
  const ir::KernelNode& node_;
  ir::Reducer reducer_;  // op None for contractions
  std::string function_name_;
  std::vector<ScalarText> accumulators_;
};

}  // namespace sinter::codegen::cuda
