// Rows that a block, or a cluster, works through one after the other: while it computes one, the next ones
// are on their way into shared memory. A thread copies what it will read itself, so it waits for nothing but
// its own copies, and rows that begin anywhere are copied like others.
#pragma once

#include <string>
#include <vector>

#include "codegen/cuda/schedule/row_kernel.h"
#include "codegen/cuda/schedule/row_vectors.h"

namespace sinter::codegen::cuda {

/// The loads of rows that are copied ahead: those of the first pass that are vectors and differ from row to row.
std::vector<ir::NodeId> staged_loads(const ir::Kernel& kernel, const RowKernel& rows,
                                     const RowPasses& passes, const LineVectors& vectors);

constexpr std::int64_t kMostResidentBytes = 64;  // of a thread

/// Vectors that are the same for all rows and stay in registers, where `items` of each are few enough.
std::vector<ir::NodeId> resident_loads(const ir::Kernel& kernel, const RowKernel& rows,
                                       const LineVectors& vectors, std::int64_t items);

/// Bytes of an element of these loads, all together.
std::int64_t loaded_bytes(const ir::Kernel& kernel, const std::vector<ir::NodeId>& loads);

/// The text of staging: names `row`, `slot`, `turn`, `item`, `first` and `length` as RowVectors does.
class RowStages {
 public:
  /// Refers to all of them.
  RowStages(KernelText& text, const RowKernel& rows, const RowConfig& config, RowVectors& vectors,
            std::vector<ir::NodeId> loads)
      : text_(text), rows_(rows), config_(config), vectors_(vectors), loads_(std::move(loads)) {}

  bool has(ir::NodeId id) const;
  /// Shared memory of all stages.
  std::int64_t shared_bytes() const;
  /// Declares prefetch(row, slot), and calls it for the first rows of this block.
  void emit_begin();
  /// Waits for the row of this turn, fills the vectors, and asks for the row that takes its place.
  void emit_next();

 private:
  std::int64_t load_bytes(ir::NodeId id) const;
  std::string place(ir::NodeId id) const;
  void emit_items(const std::function<void()>& body);

  KernelText& text_;
  const RowKernel& rows_;
  const RowConfig& config_;
  RowVectors& vectors_;
  const std::vector<ir::NodeId> loads_;
};

}  // namespace sinter::codegen::cuda
