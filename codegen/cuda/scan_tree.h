// Running folds across the threads of a block, in a scan's text: what the threads ahead have folded, in the
// order of the elements. Every text is the same whatever thread comes first, so results do not vary.
#pragma once

#include <string>
#include <vector>

#include "codegen/cuda/fold_text.h"

namespace sinter::codegen::cuda {

/// Names of variables, one an accumulator.
using FoldNames = std::vector<std::string>;

class ScanTree {
 public:
  /// Refers to both.
  ScanTree(KernelText& text, FoldText& fold) : text_(text), fold_(fold) {}

  /// Declares variables, identities or of these values.
  FoldNames declare(const std::string& hint);
  FoldNames declare(const std::string& hint, const FoldNames& values);
  FoldNames declare_arrays(const std::string& hint, std::int64_t count);
  /// The same names with "[index]".
  static FoldNames at(const FoldNames& arrays, const std::string& index);
  void assign(const FoldNames& to, const FoldNames& from, const std::string& guard = "");
  void assign_identity(const FoldNames& to, const std::string& guard = "");
  /// Declares variables: left folded with right.
  FoldNames declare_sum(const std::string& hint, const FoldNames& left, const FoldNames& right);
  /// left = left folded with right.
  void emit_sum(const FoldNames& left, const FoldNames& right);

  /// What is asked for: of those ahead, of all.
  struct Wanted {
    bool ahead = true, all = true;
  };

  /// Each of `count` elements of `arrays` becomes what the lanes ahead have folded: those at `stride`,
  /// 2 `stride`, ... below within `span` lanes (powers of two up to 32). Returns arrays of what all of them
  /// have. `index` is the loop's variable.
  FoldNames emit_lanes(const FoldNames& arrays, std::int64_t count, std::int64_t stride,
                       std::int64_t span, const std::string& index, const Wanted& wanted);

  struct Warps {
    FoldNames ahead;  // of this warp; undefined for warp 0
    FoldNames all;
  };
  /// What each of `count` warps (a power of two) has folded, by their numbers `warp`. All threads take part; in
  /// a loop, two of them in turn (`turn`, 0 or 1) need one barrier each.
  Warps emit_warps(const FoldNames& own, std::int64_t count, const std::string& turn,
                   const Wanted& wanted);

  /// Roundings of a term in emit_lanes; in emit_warps.
  static std::int64_t lanes_depth(std::int64_t span);
  static std::int64_t warps_depth(std::int64_t count);

 private:
  /// What another lane has of them.
  FoldNames shuffled(const std::string& piece, const FoldNames& values,
                     const std::string& argument);
  void emit_up(const FoldNames& values, const std::string& distance, std::int64_t span);
  FoldNames emit_shared(const FoldNames& own, std::int64_t count, const std::string& turn);
  Warps emit_few_warps(const FoldNames& shared, std::int64_t count, const Wanted& wanted);
  Warps emit_many_warps(const FoldNames& shared, std::int64_t count, const Wanted& wanted);

  KernelText& text_;
  FoldText& fold_;
};

}  // namespace sinter::codegen::cuda
