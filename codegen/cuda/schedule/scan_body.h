// What both forms of the schedule scan write for one element: nodes ahead of the scan, the scan's step, nodes
// behind it, and the vectors that they are loaded from and stored in.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/scan_tree.h"
#include "codegen/cuda/schedule/row_vectors.h"
#include "codegen/cuda/schedule/scan_kernel.h"

namespace sinter::codegen::cuda {

/// The text around it names `item`, the run's `first` element along the line, and what RowVectors asks for.
class ScanBody {
 public:
  /// Refers to `kernel` and `facts`. `is_single`: there is no first pass.
  ScanBody(const ir::Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
           ScanKernel scan, bool is_single);
  ScanBody(const ScanBody&) = delete;
  ScanBody& operator=(const ScanBody&) = delete;

  const ir::Kernel& kernel() const { return kernel_; }
  const ScanKernel& scan() const { return scan_; }
  const ScanConfig& config() const { return config_; }
  KernelText& text() { return text_; }
  support::TextWriter& out() { return text_.body(); }
  FoldText& fold() { return fold_; }
  ScanTree& tree() { return tree_; }
  bool is_narrow() const { return is_narrow_; }

  /// Values that are the same for all elements of a line.
  void emit_fixed();

  /// Where lines begin in the tensors that are moved in vectors.
  void emit_bases(bool has_loads, bool has_stores);
  void forget_bases() { vectors_.forget_bases(); }

  /// Declares what the vectors are loaded into.
  void declare_loads();
  /// Loads those of one item.
  void emit_loads();
  bool has_loads() const { return !loads_.empty(); }
  /// The same into other variables, around `body`; emit_advance makes them the current ones.
  void emit_ahead(const std::function<void()>& body);
  void emit_advance();

  void declare_kept();
  /// The element `e` of a run, whose place along the line is `element`: its operands folded in.
  void emit_first(const std::string& e);
  /// Its result and what follows from it. `is_guarded`: only threads that are `is_inside` store.
  void emit_second(const std::string& e, bool is_guarded);
  /// Around emit_second of all elements of a run.
  void declare_stores();
  void emit_stores(bool is_guarded);

  /// A loop over `e`, and `element`, in the order of the scan where it runs along the line; ragged runs are
  /// guarded.
  void emit_elements(const std::function<void()>& body);
  /// for (int item = ...)
  void emit_items(const std::function<void()>& body);

 private:
  void emit_nodes(const std::vector<ir::NodeId>& nodes, const std::string& e,
                  const std::string& guard);
  /// A step of the scan, without effect outside of the row.
  void emit_here(const std::function<void()>& step);
  std::string kept_element(ir::NodeId id, const std::string& e) const;

  const ir::Kernel& kernel_;
  const ScanKernel scan_;
  const ScanConfig config_;
  const RowConfig row_config_;
  const ScanPasses passes_;
  const bool is_narrow_;
  KernelText text_;
  FoldText fold_;
  ScanTree tree_;
  RowVectors vectors_;
  std::vector<ir::NodeId> loads_, stores_;  // in vectors
  std::map<ir::NodeId, std::string> kept_names_;
  std::map<ir::NodeId, std::string> ahead_names_;
};

}  // namespace sinter::codegen::cuda
