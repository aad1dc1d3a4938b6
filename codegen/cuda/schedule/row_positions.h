// Where the extremum of a row stands (argmax, argmin), in the text of rows: each thread folds the extrema of
// whole vectors, keeps the vector that has its own, and looks for the element there once, behind its last.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/schedule/row_vectors.h"

namespace sinter::codegen::cuda {

/// Whether the fold is of that kind, and its indices are places in the row.
bool folds_positions(const ir::Kernel& kernel, ir::NodeId id, const FoldText& fold,
                     const std::vector<ir::AxisId>& line);

class RowPositions {
 public:
  /// Refers to all of them.
  RowPositions(KernelText& text, RowVectors& vectors, const RowConfig& config, ir::NodeId id,
               FoldText& fold);

  /// The vector load that the values are, or are cast from: such vectors can be kept as they are.
  std::optional<ir::NodeId> source() const;

  /// Declares the vector that is kept, behind the accumulators. `keeps_source`: as source() has it.
  void emit_declaration(bool keeps_source);
  /// Around the elements of a vector: begins, takes element `e` in, and folds, where `condition` (if any) says
  /// that it has elements of the row.
  void emit_begin();
  void emit_element(const std::string& e);
  void emit_end(const std::string& condition);
  /// Makes the place of the vector that of the element.
  void emit_search();

 private:
  const ScalarText& best() const { return fold_.accumulators()[0]; }
  const ScalarText& place() const { return fold_.accumulators()[1]; }
  ScalarText kept_element(const std::string& e);

  KernelText& text_;
  RowVectors& vectors_;
  const RowConfig& config_;
  FoldText& fold_;
  ir::Value value_;
  bool keeps_source_ = false;
  std::string kept_;     // the vector with the thread's extremum
  std::string extreme_;  // of the vector that is folded
  std::string values_;   // its elements, unless they are kept as source() has them
};

}  // namespace sinter::codegen::cuda
