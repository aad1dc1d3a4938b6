// How often fuzz cases held each operator, by dtype and by layout of its principal operand.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/fuzz_case.h"

namespace sinter::tests {

/// Plain numbers, so that processes can share it.
class FuzzCoverage {
 public:
  /// Counts every node that an output needs.
  void add(const FuzzCase& fuzz);
  void add(const FuzzCoverage& other);

  /// Required uses (all_required_uses) of which there was none.
  std::int64_t missing_uses() const;
  /// "softmax f16", "softmax reversed", ...: required pairs of which there was none.
  std::vector<std::string> missing_pairs() const;
  /// One row an operator: counts by dtype, then by layout; a dot where the pair is not possible.
  std::string table() const;

 private:
  static constexpr std::size_t kOps = static_cast<std::size_t>(ir::Op::None);
  static constexpr std::size_t kLayouts = 6;
  static constexpr std::size_t kInner = kLayouts;  // the operand is no input

  std::int64_t of_dtype(ir::Op op, DType dtype) const;
  std::int64_t of_layout(ir::Op op, std::size_t layout) const;

  std::array<std::array<std::array<std::int64_t, kLayouts + 1>, kDTypeCount>, kOps> counts_{};
};

}  // namespace sinter::tests
