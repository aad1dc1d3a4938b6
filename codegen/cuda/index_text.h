// Index expressions as C: type `idx`, which is i32 where Facts allow (index_facts.h), else i64.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/cuda/pieces.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

/// The names that a kernel's text gives to what the Kernel names.
struct TextNames {
  std::vector<std::string> axes;                                       // by AxisId
  std::vector<std::string> params;                                     // by index: pointers
  std::map<std::string, std::string> sizes;                            // by symbol
  std::map<std::pair<std::size_t, std::size_t>, std::string> strides;  // by param, dimension
  std::map<ir::Value, std::string> values;                             // as they are emitted
};

class IndexText {
 public:
  /// All three are referred to.
  IndexText(const ir::Kernel& kernel, const TextNames& names, PieceSet& pieces)
      : kernel_(kernel), names_(names), pieces_(pieces) {}

  /// Of type idx; i64 where gathered values occur in it.
  std::string emit(const ir::IndexExpr& expr) const;
  /// The same, in parentheses unless it is one word.
  std::string emit_operand(const ir::IndexExpr& expr) const;
  /// Of type idx whatever occurs in it, as an operand.
  std::string emit_coordinate(const ir::IndexExpr& expr) const;
  /// Computed in i64.
  std::string emit_wide(const ir::IndexExpr& expr) const;
  /// All of `where` >= 0, as a condition; empty where that is certain.
  std::string emit_condition(const ir::Shape& where) const;

 private:
  std::string emit_sum(const ir::IndexExpr& expr, bool is_wide) const;
  std::string emit_product(std::int64_t coefficient, const ir::Term& term, bool is_wide) const;
  std::string emit_atom(const ir::Atom& atom, bool is_wide) const;

  const ir::Kernel& kernel_;
  const TextNames& names_;
  PieceSet& pieces_;
};

/// In parentheses if it has a space outside of them.
std::string parenthesize(const std::string& text);

}  // namespace sinter::codegen::cuda
