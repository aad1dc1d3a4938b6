// Compares computed tensors with the reference, within the reference's own bounds.
#pragma once

#include <cstdint>
#include <string>

#include "reference/evaluate.h"

namespace sinter::reference {

/// How a computed output fares. Undecided elements are counted and left out of all else.
struct Comparison {
  /// No element failed, and the bounds were worth something.
  bool passed = false;
  std::int64_t compared = 0;
  std::int64_t failed = 0;
  std::int64_t undecided = 0;
  /// Most elements have bounds above a quarter of the output's root mean square, or are undecided:
  /// such a check proves nothing.
  bool vacuous = false;
  /// Largest |given - expected| / bound; infinity where an exact element differs or NaN and
  /// infinities are misplaced.
  double max_ratio = 0;
  /// Row-major number of the element with that ratio; -1 where nothing was compared.
  std::int64_t worst_index = -1;
  /// Two lines at most: the verdict with its counts, then the worst element with what was given,
  /// expected and allowed.
  std::string text;
};

/// `given` holds all elements of the output, of which `expected` may hold some. UserError where
/// dtype or extents differ. NaN equals NaN; exact zeros must agree in sign.
Comparison compare(const ReferenceOutput& expected, const HostTensor& given);

}  // namespace sinter::reference
