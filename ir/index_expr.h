// Integer expressions over size symbols, axes and values: dimensions of tensors and index maps of
// kernels. Kept in a normal form (a sorted sum of products), so that equal expressions compare
// equal whenever addition, multiplication and the rules named below can show it.
//
//   atom      printed       meaning
//   Size      batch         a named dimension, >= 0
//   Axis      i             a kernel's axis, 0 <= i < its extent
//   Value     %3, %3.1      an integer value of the kernel (a gathered index)
//   FloorDiv  floor(a / b)  rounded towards minus infinity; b > 0
//   Mod       mod(a, b)     in [0, b); b > 0
//   Min, Max  min(a, b)     two operands, sorted
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/value.h"

namespace sinter::ir {

class IndexExpr;

enum class AtomKind : std::uint8_t { Size, Axis, Value, FloorDiv, Mod, Min, Max };

struct Atom {
  AtomKind kind = AtomKind::Size;
  std::string name;                 // Size
  AxisId axis = 0;                  // Axis
  ir::Value value;                  // Value
  std::vector<IndexExpr> operands;  // FloorDiv, Mod, Min, Max: two
};

std::strong_ordering operator<=>(const Atom& a, const Atom& b);
bool operator==(const Atom& a, const Atom& b);

/// coefficient × product of factors (sorted, repeated for powers); coefficient is never 0.
struct Term {
  std::int64_t coefficient = 0;
  std::vector<Atom> factors;
};

std::strong_ordering operator<=>(const Term& a, const Term& b);
bool operator==(const Term& a, const Term& b);

/// What an evaluation knows: sizes by name, axes by id, values by name.
struct IndexBindings {
  std::map<std::string, std::int64_t> sizes;
  std::function<std::int64_t(AxisId)> axis;
  std::function<std::int64_t(Value)> value;
};

class IndexExpr {
 public:
  /// A number; implicit, so that literals mix with expressions.
  IndexExpr(std::int64_t constant = 0);  // NOLINT(google-explicit-constructor)
  static IndexExpr size(std::string name);
  static IndexExpr axis(AxisId axis);
  static IndexExpr value(Value value);
  /// The sum of `terms`, brought into normal form.
  static IndexExpr from_terms(std::vector<Term> terms);
  static IndexExpr from_atom(Atom atom);

  /// Terms in normal form: sorted by factors, the constant (no factors) first; empty for 0.
  const std::vector<Term>& terms() const { return terms_; }
  bool is_constant() const;
  /// The number; InternalError unless is_constant().
  std::int64_t constant() const;
  std::optional<std::int64_t> as_constant() const;
  /// The axis, where the expression is exactly one axis.
  std::optional<AxisId> as_axis() const;
  /// The name, where the expression is exactly one size symbol.
  std::optional<std::string> as_size() const;

  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator*(const IndexExpr& a, const IndexExpr& b);
  friend std::strong_ordering operator<=>(const IndexExpr& a, const IndexExpr& b);
  friend bool operator==(const IndexExpr& a, const IndexExpr& b);

 private:
  std::vector<Term> terms_;
};

using Dim = IndexExpr;
using Shape = std::vector<Dim>;

/// Floor division and modulus; the divisor must be provably not <= 0 where it is a number
/// (UserError otherwise). Multiples of a number are taken out of the quotient, multiples of a
/// symbol only where it cannot be 0: as a Dim, floor(m*n / n) is 0 for n = 0. The rules:
/// index_expr_divide.cpp.
IndexExpr floor_div(const IndexExpr& a, const IndexExpr& b);
IndexExpr mod(const IndexExpr& a, const IndexExpr& b);
IndexExpr min(const IndexExpr& a, const IndexExpr& b);
IndexExpr max(const IndexExpr& a, const IndexExpr& b);

/// Extent of an axis (exclusive upper bound; its lower bound is 0).
using AxisExtent = std::function<IndexExpr(AxisId)>;

/// Uses axis ranges: mod(i, n) = i and floor(i / n) = 0 where 0 <= i < n, also within sums
/// (floor((i*n + j) / n) = i, mod(i*n + j, n) = j where 0 <= j < n), min and max of comparable ones.
/// For index maps only: it takes every divisor to be at least 1, since a map is only evaluated at
/// elements that exist.
IndexExpr simplify(const IndexExpr& expr, const AxisExtent& extent);

/// True if expr >= 0 (> 0) is shown to hold for every size >= 0 and every axis within its extent.
/// Without `extent` axes are only known to be >= 0; with it, divisors are taken to be at least 1.
bool is_provably_nonnegative(const IndexExpr& expr, const AxisExtent& extent);
bool is_provably_positive(const IndexExpr& expr, const AxisExtent& extent);
/// True if the two can never be equal, whatever the sizes (a difference that is a non-zero number, or
/// has a sign).
bool is_provably_different(const IndexExpr& a, const IndexExpr& b);

/// Axes, values and sizes that occur anywhere in the expression.
std::set<AxisId> axes_of(const IndexExpr& expr);
std::set<Value> values_of(const IndexExpr& expr);
std::set<std::string> sizes_of(const IndexExpr& expr);

/// Replaces axes (and values, sizes) by expressions; what the function answers nullopt to stays.
struct IndexSubstitution {
  std::function<std::optional<IndexExpr>(AxisId)> axis;
  std::function<std::optional<IndexExpr>(Value)> value;
  std::function<std::optional<IndexExpr>(const std::string&)> size;
};
IndexExpr substitute(const IndexExpr& expr, const IndexSubstitution& substitution);

/// Where expr = coefficient·axis + rest and neither mentions the axis elsewhere: the coefficient
/// (0 where the axis does not occur). Nullopt where the axis stands inside floor, mod, min or max.
std::optional<IndexExpr> coefficient_of(const IndexExpr& expr, AxisId axis);
/// True if every axis occurs linearly and no value occurs.
bool is_affine(const IndexExpr& expr);

/// Number for the given bindings. A missing size is a UserError that names it. x / 0 = 0 and
/// mod(x, 0) = x, as everywhere in Sinter. Overflow of 64 bits is a UserError.
std::int64_t evaluate(const IndexExpr& expr, const IndexBindings& bindings);

/// How axes and values print; the default prints "i<id>" and "%<node>.<result>".
struct IndexNames {
  std::function<std::string(AxisId)> axis;
  std::function<std::string(Value)> value;
};
std::string to_string(const IndexExpr& expr, const IndexNames& names = {});
/// "[batch, 512, 2*n + 1]".
std::string to_string(const Shape& shape);

}  // namespace sinter::ir
