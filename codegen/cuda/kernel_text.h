// The text of one kernel while it is written: names, pieces, and nodes other than folds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/cuda/index_text.h"
#include "codegen/cuda/names.h"
#include "codegen/cuda/pieces.h"
#include "codegen/cuda/scalars.h"
#include "codegen/cuda/signature.h"
#include "ir/facts.h"
#include "ir/kernel.h"
#include "support/text_writer.h"

namespace sinter::codegen::cuda {

class KernelText {
 public:
  /// Refers to `kernel` and `facts`. Elementary functions must be expanded already. `reserved` are the
  /// words of the schedule's own text.
  KernelText(const ir::Kernel& kernel, const ir::Facts& facts, bool restrict_inputs = false,
             std::span<const std::string_view> reserved = {});
  KernelText(const KernelText&) = delete;
  KernelText& operator=(const KernelText&) = delete;

  const ir::Kernel& kernel() const { return kernel_; }
  const Signature& signature() const { return signature_; }
  const IndexText& index() const { return index_; }
  PieceSet& pieces() { return pieces_; }
  /// The body of the entry, and the functions ahead of it.
  support::TextWriter& body() { return body_; }
  support::TextWriter& functions() { return functions_; }

  const std::string& axis(ir::AxisId axis) const { return names_.axes.at(axis); }
  std::string extent(ir::AxisId axis) const;
  std::string make_name(const std::string& hint) { return table_.make_name(hint); }
  std::string type(ir::DType dtype);
  /// struct pack_bf16_8: `length` elements in memory as one access of up to 16 bytes moves them, `e`.
  std::string vector_type(ir::DType dtype, std::int64_t length);

  /// A value that was emitted or set.
  ScalarText value(ir::Value value) const;
  /// Says which text stands for a value from here on.
  void set_value(ir::Value value, const std::string& text) { names_.values[value] = text; }
  /// Makes a name for it ("exp_3", "x_0") and sets it.
  std::string name_value(ir::Value value);

  /// Declares the axes of the flat index `flat`, the last fastest.
  void emit_axes(const std::string& flat, const std::vector<ir::AxisId>& axes);
  /// Writes a node that is no fold: a declaration, or a store. A store is guarded by the axes in
  /// `surrounding` that it does not vary over, so that it happens once.
  void emit_node(ir::NodeId id, const std::vector<ir::AxisId>& surrounding);

  /// Pointer to the element that a load or store touches.
  std::string pointer(ir::NodeId id) const;
  /// Elements from there to the one at the axis' next index, as an operand; its map is affine.
  std::string step(ir::NodeId id, ir::AxisId axis) const;
  /// One more parameter of the entry point, behind those of the signature.
  void add_parameter(Argument argument, const std::string& declaration);

  /// The whole source: `comment`, pieces, the type of idx, functions, and the entry point with
  /// __launch_bounds__(bounds): "256", or "384, 1" with the blocks a multiprocessor is to hold.
  std::string finish(const std::string& comment, const std::string& symbol,
                     const std::string& bounds) const;
  /// The program of this one kernel.
  Program make_program(const std::string& comment, const std::string& bounds,
                       const LaunchRecipe& launch) const;
  /// "sinter_" and the kernel's name, as an identifier.
  std::string symbol() const;

 private:
  std::string emit_offset(const ir::KernelNode& node) const;
  std::string emit_load(const ir::KernelNode& node);
  void emit_store(const ir::KernelNode& node, const std::vector<ir::AxisId>& surrounding);

  const ir::Kernel& kernel_;
  const ir::Facts& facts_;
  NameTable table_;
  TextNames names_;
  PieceSet pieces_;
  IndexText index_;
  Signature signature_;
  std::set<std::string> vector_types_;
  support::TextWriter functions_;
  support::TextWriter body_;
};

}  // namespace sinter::codegen::cuda
