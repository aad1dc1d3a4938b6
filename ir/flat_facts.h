// Facts with the places of their sizes and tensors in a call: what each call checks.
#pragma once

#include <string>
#include <vector>

#include "ir/facts.h"
#include "ir/flat_expr.h"

namespace sinter::ir {

/// Names behind the places of a call's sizes and tensors.
struct CallNames {
  std::vector<std::string> sizes;
  std::vector<std::string> tensors;

  /// InternalError where no tensor has that name.
  std::size_t tensor(const std::string& name) const;
};

class FlatFacts {
 public:
  /// UserError for a size without a place, InternalError for a tensor without one.
  FlatFacts(const Facts& facts, const CallNames& names);
  /// What find_mismatch tells by name: true where all hold.
  bool hold(std::span<const std::int64_t> sizes, std::span<const TensorLayout> tensors) const;

 private:
  struct Entry {
    Fact fact;
    FlatExpr expr;           // of a fact about sizes
    std::size_t tensor = 0;  // of another
    bool is_about_sizes = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace sinter::ir
