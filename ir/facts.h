// Facts: all that a schedule may know of sizes and layouts, a sorted list of predicates. Part of
// the key, and exactly what each call checks. DESIGN section 4.
//
//   printed                 holds where
//   n = 512                 the expression has that value
//   n % 8 = 0               it is a multiple
//   1 <= n <= 64            it lies in the range, bounds included
//   contiguous(x)           x is dense and row-major (extents of 1 may have any stride)
//   stride(x, 1) = 1        that dimension of x has that stride, in elements (or an extent <= 1)
//   stride(x, 0) = 8*k      its stride is a positive multiple, below 2^36, whatever its extent
//   align(x) = 16           x's pointer is a multiple of so many bytes
//   offsets32(x)            every reachable |offset| of x, in elements, is below 2^31
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/index_expr.h"

namespace sinter::ir {

enum class FactKind : std::uint8_t {
  Equal,
  Divisible,
  Range,
  Contiguous,
  Stride,
  StrideMultiple,
  Aligned,
  Offsets32
};

struct Fact {
  FactKind kind = FactKind::Equal;
  IndexExpr expr;     // Equal, Divisible, Range
  std::string param;  // Contiguous, Stride, StrideMultiple, Aligned, Offsets32
  /// Equal: value; Divisible: divisor; Range: low; Stride, StrideMultiple: dimension; Aligned: bytes.
  std::int64_t low = 0;
  std::int64_t high = 0;  // Range: high; Stride: the stride; StrideMultiple: the divisor
  friend std::strong_ordering operator<=>(const Fact& a, const Fact& b);
  friend bool operator==(const Fact&, const Fact&) = default;

  static Fact equal(IndexExpr expr, std::int64_t value);
  static Fact divisible(IndexExpr expr, std::int64_t divisor);
  static Fact range(IndexExpr expr, std::int64_t low, std::int64_t high);
  static Fact contiguous(std::string param);
  static Fact stride(std::string param, std::int64_t dimension, std::int64_t stride);
  static Fact stride_multiple(std::string param, std::int64_t dimension, std::int64_t divisor);
  static Fact aligned(std::string param, std::int64_t bytes);
  static Fact offsets32(std::string param);
};
std::string to_string(const Fact& fact);

/// Sorted, without repetition.
class Facts {
 public:
  Facts() = default;
  explicit Facts(std::vector<Fact> facts);
  void add(Fact fact);
  bool has(const Fact& fact) const;
  bool has_all(std::span<const Fact> facts) const;
  bool is_contiguous(const std::string& param) const { return has(Fact::contiguous(param)); }
  bool has_offsets32(const std::string& param) const { return has(Fact::offsets32(param)); }
  /// Stride known for that dimension by a Stride fact (Contiguous is for the caller to use).
  std::optional<std::int64_t> stride(const std::string& param, std::int64_t dimension) const;
  /// Known alignment in bytes; 1 where none is stated.
  std::int64_t alignment(const std::string& param) const;
  const std::vector<Fact>& list() const { return list_; }
  friend bool operator==(const Facts&, const Facts&) = default;

 private:
  std::vector<Fact> list_;
};
/// "{contiguous(x), n % 8 = 0}".
std::string to_string(const Facts& facts);

/// Where a tensor of a call lies. Extents and strides belong to the caller.
struct TensorLayout {
  std::uint64_t address = 0;
  std::span<const std::int64_t> extents;
  std::span<const std::int64_t> strides;  // in elements, may be 0 or negative
};

/// One tensor of a call, bound to a parameter's name.
struct BoundTensor {
  std::string param;
  std::uint64_t address = 0;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  TensorLayout layout() const { return {address, extents, strides}; }
};
struct CallFacts {
  std::map<std::string, std::int64_t> sizes;
  std::vector<BoundTensor> tensors;
};

/// A fact about sizes for its expression's value, and one about a tensor for where it lies.
bool is_about_sizes(const Fact& fact);
bool holds_for_size(const Fact& fact, std::int64_t value);
bool holds_for_tensor(const Fact& fact, const TensorLayout& tensor);

/// Nullopt where all hold; else the first that does not, with the values: what `explain` and
/// SINTER_DEBUG=2 print as the reason of a new variant.
std::optional<std::string> find_mismatch(const Facts& facts, const CallFacts& call);

/// Row-major strides, in elements, of dense `extents`.
std::vector<std::int64_t> contiguous_strides(std::span<const std::int64_t> extents);

}  // namespace sinter::ir
