// Reductions and scans: folding elements, with bounds that hold for every order of folding.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ir/graph.h"
#include "reference/element.h"

namespace sinter::reference {

/// A sum of terms in floating point. The bound holds for any order of additions: the terms' own
/// bounds, and gamma(roundings) times the sum of their magnitudes (Higham, section 4.2).
class FloatSum {
 public:
  /// Adds a term whose exact value may be off by `propagated` (infinity: undecided).
  void add(Wide term, Wide propagated);
  std::int64_t count() const { return count_; }
  /// The sum in `compute`, each term having gone through at most `roundings` roundings; `relative`
  /// is one more error, relative to the magnitudes.
  Element result(ir::DType compute, std::int64_t roundings, Wide relative = 0) const;

 private:
  Wide sum_ = 0;
  Wide magnitude_ = 0;
  Wide finite_ = 0;  // magnitude of the finite terms
  Wide propagated_ = 0;
  std::int64_t count_ = 0;
  bool nan_ = false;
  bool undecided_ = false;
  bool positive_ = false;
  bool negative_ = false;
  bool whole_ = true;  // all terms are exact whole numbers
};

/// A running fold; results may be asked for after any number of elements.
class Fold {
 public:
  virtual ~Fold() = default;
  /// One element of each operand.
  virtual void push(std::span<const Element> elements) = 0;
  /// One element per result, of all that was pushed.
  virtual void results(std::span<Element> out) const = 0;
};

/// Folds with one operator that has an identity, in the arithmetic of `dtype`. A sum rounds each
/// term at most `longest_chain` times (0: as often as there are additions).
std::unique_ptr<Fold> make_fold(ir::Op op, ir::DType dtype, std::int64_t longest_chain);
/// Folds with a Function in ascending order. Other orders give other rounding errors of the same
/// size: the running bound is doubled.
std::unique_ptr<Fold> make_function_fold(const ir::Reducer& reducer);

/// The value of a literal, exact.
Element make_literal_element(const ir::Literal& literal);
/// min(roundings, longest_chain), where the latter is not 0.
std::int64_t limit_chain(std::int64_t roundings, std::int64_t longest_chain);

}  // namespace sinter::reference
