// Conditions with the places of their sizes in a call: what each call checks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/conditions.h"
#include "ir/flat_expr.h"

namespace sinter::ir {

class FlatConditions {
 public:
  FlatConditions() = default;
  /// Sizes get their places in `names`. UserError for a size that is not there.
  FlatConditions(std::span<const Condition> conditions, std::span<const std::string> names);
  /// What check_conditions tells by name: true where all hold. UserError on overflow.
  bool hold(std::span<const std::int64_t> sizes) const;

 private:
  struct Entry {
    ConditionKind kind = ConditionKind::Equal;
    FlatExpr left, right, count;
  };
  std::vector<Entry> entries_;
};

}  // namespace sinter::ir
