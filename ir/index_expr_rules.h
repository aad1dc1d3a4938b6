// Inside the index expression files only: checked arithmetic, the division rules with and without
// knowledge of ranges, and the ranges themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ir/index_expr.h"

namespace sinter::ir {

/// UserError where the result does not fit 64 bits.
std::int64_t checked_add(std::int64_t a, std::int64_t b);
std::int64_t checked_mul(std::int64_t a, std::int64_t b);
/// x / 0 = 0 and mod(x, 0) = x.
std::int64_t evaluate_floor_div(std::int64_t a, std::int64_t b);
std::int64_t evaluate_mod(std::int64_t a, std::int64_t b);

/// The atom, where the expression is exactly one; else null.
const Atom* single_atom(const IndexExpr& expr);
/// An atom of two operands, as it stands: no rule is applied.
IndexExpr make_binary_atom(AtomKind kind, const IndexExpr& a, const IndexExpr& b);
/// Whether the atom or anything inside it is an axis or a value (mentions == nothing else).
bool has_axis_or_value(const Atom& atom);

/// What is known of axes and sizes while simplifying.
struct Ranges {
  AxisExtent extent;               // may be empty: axes are only known to be >= 0
  std::set<std::string> positive;  // sizes that are at least 1
  /// An index map is only evaluated at elements that exist, and its divisors are extents of the
  /// tensors that hold them: every divisor is at least 1. A Dim may divide by a size that is 0.
  bool positive_divisors = false;

  bool is_nonnegative(const IndexExpr& expr) const;
  bool is_positive(const IndexExpr& expr) const { return is_nonnegative(expr - 1); }
};

/// Nothing but the signs of sizes and axes: for the normal form of dimensions.
Ranges dimension_ranges();
/// Adds to `ranges.positive` the sizes that must be >= 1 because an axis of `expr` exists.
void add_positive_sizes(const IndexExpr& expr, Ranges& ranges);
/// An expression of sizes only that `expr` never falls below (rises above), where one is found.
std::optional<IndexExpr> lower_bound(const IndexExpr& expr, const Ranges& ranges);
std::optional<IndexExpr> upper_bound(const IndexExpr& expr, const Ranges& ranges);

/// {floor(a / b), mod(a, b)} by the rules that `ranges` can justify.
std::pair<IndexExpr, IndexExpr> divide(const IndexExpr& a, const IndexExpr& b,
                                       const Ranges& ranges);
/// min or max (`kind`) of the two, without operands that `ranges` shows to be dominated.
IndexExpr choose_extreme(AtomKind kind, const IndexExpr& a, const IndexExpr& b,
                         const Ranges& ranges);

}  // namespace sinter::ir
