// What comparisons with the reference were worth, summed over many.
#pragma once

#include <cstdint>

namespace sinter::tests {

struct CheckCounts {
  std::int64_t outputs = 0;
  /// Outputs whose bounds prove nothing (reference::Comparison::vacuous).
  std::int64_t vacuous = 0;
  /// Elements compared, and elements whose bound straddles a discontinuity.
  std::int64_t compared = 0;
  std::int64_t undecided = 0;

  void add(const CheckCounts& other) {
    outputs += other.outputs;
    vacuous += other.vacuous;
    compared += other.compared;
    undecided += other.undecided;
  }
  /// Of all elements, those that no comparison decides.
  double undecided_share() const {
    const std::int64_t all = compared + undecided;
    return all == 0 ? 0 : static_cast<double>(undecided) / static_cast<double>(all);
  }
};

}  // namespace sinter::tests
