// Proving a compiled operator: many kinds of inputs, poisoned and guarded memory, repeated runs, and the
// reference's own error bounds.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinter/compile.h"

namespace sinter {

/// Kinds of input values. Integers are whole numbers in [-8, 8] (unsigned: [0, 16]) but for Special, bool
/// is 0 or 1.
enum class InputFamily : std::uint8_t {
  Uniform,   // [-1, 1)
  Normal,    // nearly standard normal, within 6
  Positive,  // [0, 1): errors of one sign pile up
  Cancelling,  // near 1, every other input with alternating signs: sums are small, their terms are not
  WideRange,  // both signs, magnitudes over 20 powers of two (f16 and f8: 8)
  Special,  // one in 64 is NaN, an infinity, a zero of either sign, subnormal or the largest; else uniform
  Integers,  // whole numbers in [-8, 8]: sums are exact, so that results have to be
};
std::span<const InputFamily> all_input_families();
std::string_view to_string(InputFamily family);

struct CheckOptions {
  /// Values of the operator's named dimensions.
  std::map<std::string, std::int64_t> sizes;
  /// Empty: all of them.
  std::vector<InputFamily> families;
  /// Of all inputs; the same seed gives the same inputs on every machine.
  std::uint64_t seed = 1;
  /// How many elements of each output are compared with the reference; others are checked for having been
  /// written, and alike in every run. 0: all.
  std::int64_t elements = 1024;
  /// Runs with the same inputs, at least 2: their outputs, poisoned differently before, must have the same bits.
  int runs = 2;
};

/// How one family of inputs fared.
struct CheckCase {
  InputFamily family = InputFamily::Uniform;
  bool passed = false;
  /// False where the bounds of some output are too wide for these inputs to prove anything about it (sums
  /// that cancel, results that underflow).
  bool proves = false;
  /// Elements compared with the reference, and those no comparison decides.
  std::int64_t compared = 0;
  std::int64_t undecided = 0;
  /// Largest error as a share of its bound.
  double max_ratio = 0;
  /// What is wrong, a line each; empty where nothing is.
  std::string trouble;
};

struct CheckReport {
  bool passed = false;
  std::vector<CheckCase> cases;
  /// What is wrong beside the cases; empty where nothing is.
  std::string trouble;
};

/// A table, a line a family, and what is wrong.
std::string to_string(const CheckReport& report);

/// Runs `op` on every family of inputs and compares with the reference: in wider arithmetic, within the
/// bound that follows from the graph and from the longest chain of roundings of the kernels that ran. Fails
/// where an element is outside its bound or never written, where runs differ, where a byte outside an
/// output or any byte of an input is written, and where no family of inputs proves anything about an output.
/// UserError where a size is missing or an option is out of range; EnvironmentError where memory is
/// short.
CheckReport check(const Executable& op, const CheckOptions& options = {});

}  // namespace sinter
