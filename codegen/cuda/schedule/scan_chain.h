// What the blocks of the schedule scan hand to each other where several share a sequence (a long row, or some
// neighbouring columns). A sequence lies in parts, one for a block at a time, taken in order by a counter, so that
// a block waits only for parts that others have already taken. Each part's fold is published as soon as it is known,
// and no block waits for another's carry: a block folds all parts ahead of its own in its group of as many parts as
// it has threads, each read by one thread, on top of what the group before ends with, which that group's last part
// publishes. Always the same folds in the same order, so results do not vary, as those of a look-back that takes what
// happens to be there would. A carry handed from part to part needs one trip through the second-level cache each,
// about 1 us: too long by far for thousands of parts.
#pragma once

#include <functional>

#include "codegen/cuda/schedule/scan_body.h"
#include "codegen/program.h"

namespace sinter::codegen::cuda {

class ScanChain {
 public:
  /// `parts` of each of `sequences`, whose folds are `width` values of neighbouring columns. Adds a workspace
  /// and its argument.
  ScanChain(ScanBody& body, ir::IndexExpr sequences, ir::IndexExpr parts, std::int64_t width = 1);

  /// Zeroed: a counter of parts taken, and words as publish_word leaves them: of the parts' folds, of the groups'.
  Workspace workspace() const;
  /// A loop over the parts that this block takes: `part` of `sequence`.
  void emit_parts(const std::function<void()>& body);
  /// Publishes the part's fold `own`, takes the next part, and declares the carry of all parts ahead. Both are
  /// those of column t in thread t, or where `width` is 1, of every thread.
  FoldNames emit_carry(const FoldNames& own);
  /// As many blocks as the config says, no more than there are parts.
  LaunchRecipe make_launch() const;
  /// Roundings of a term in the carry.
  ir::IndexExpr depth() const;

 private:
  /// Parts of a group.
  std::int64_t group() const { return body_.config().threads / width_; }
  ir::IndexExpr groups() const;
  std::string owner() const;
  /// The address of a value in `base`, by number of part or group.
  std::string address(const std::string& base, const std::string& number) const;
  /// That of its next word.
  std::string word(const std::string& address, const std::string& stride);
  void emit_publish(const FoldNames& values, const std::string& address, const std::string& stride);
  void emit_await(const FoldNames& values, const std::string& address, const std::string& stride);
  FoldNames emit_sum_of_threads(const FoldNames& handed);
  FoldNames emit_sum_of_columns(const FoldNames& handed);

  ScanBody& body_;
  const ir::IndexExpr sequences_, parts_;
  const std::int64_t width_;
  std::int64_t word_count_ = 0;  // of all accumulators
  std::int64_t next_word_ = 0;
};

}  // namespace sinter::codegen::cuda
