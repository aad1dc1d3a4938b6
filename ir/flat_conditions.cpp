#include "ir/flat_conditions.h"

#include <algorithm>

namespace sinter::ir {

FlatConditions::FlatConditions(std::span<const Condition> conditions,
                               std::span<const std::string> names) {
  for (const Condition& condition : conditions) {
    entries_.push_back({condition.kind, FlatExpr(condition.left, names),
                        FlatExpr(condition.right, names), FlatExpr(condition.count, names)});
  }
}

bool FlatConditions::hold(std::span<const std::int64_t> sizes) const {
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (entry.count.evaluate(sizes) <= 0) return true;
    const std::int64_t left = entry.left.evaluate(sizes);
    const std::int64_t right = entry.right.evaluate(sizes);
    return entry.kind == ConditionKind::Equal ? left == right : left <= right;
  });
}

}  // namespace sinter::ir
