// What the blocks of the schedule scan hand to each other where several share a row. The row lies in parts,
// one for a block at a time, taken in order by a counter. Each part's fold is published as soon as it is known, so
// that no block waits for another's carry: a block folds all parts ahead of its own in its group of as many parts as
// it has threads, each read by one thread, and behind them what the group before ends with, which that group's last
// part publishes. Always the same folds in the same order, so results do not vary, as those of a look-back that takes
// what happens to be there would. A carry handed from part to part needs one trip through the second-level cache
// each, about 1 us: too long by far for thousands of parts.
#pragma once

#include "codegen/cuda/schedule/scan_body.h"
#include "codegen/program.h"

namespace sinter::codegen::cuda {

class ScanChain {
 public:
  /// `parts` of each of `rows` rows. Adds a workspace and its argument.
  ScanChain(ScanBody& body, ir::IndexExpr rows, ir::IndexExpr parts);

  /// Zeroed: a counter of parts taken, and words as publish_word leaves them: of the parts' folds, of the groups'.
  Workspace workspace() const;
  /// Takes the first part: `drawn`, in shared memory.
  void emit_begin();
  /// Publishes the fold `own` of part `part` (`piece` among all rows'), takes the next part, and declares the carry
  /// of all parts ahead.
  FoldNames emit_carry(const FoldNames& own);
  /// Roundings of a term in the carry.
  ir::IndexExpr depth() const;

 private:
  ir::IndexExpr groups() const;
  std::string groups_stride() const;
  /// Where the next of a value's words lies, the first at `base`.
  std::string word(const std::string& base, const std::string& stride);
  void emit_publish(const FoldNames& values, const std::string& base, const std::string& stride);
  void emit_await(const FoldNames& values, const std::string& base, const std::string& stride);

  ScanBody& body_;
  const ir::IndexExpr rows_, parts_;
  std::int64_t word_count_ = 0;  // of all accumulators
  std::int64_t next_word_ = 0;
};

}  // namespace sinter::codegen::cuda
