#include "ir/flat_facts.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::ir {

std::size_t CallNames::tensor(const std::string& name) const {
  const auto place = std::find(tensors.begin(), tensors.end(), name);
  support::check(place != tensors.end(), "the call binds no tensor {}", name);
  return static_cast<std::size_t>(place - tensors.begin());
}

FlatFacts::FlatFacts(const Facts& facts, const CallNames& names) {
  for (const Fact& fact : facts.list()) {
    Entry entry{.fact = fact, .expr = {}, .tensor = 0, .is_about_sizes = ir::is_about_sizes(fact)};
    if (entry.is_about_sizes) {
      entry.expr = FlatExpr(fact.expr, names.sizes);
    } else {
      entry.tensor = names.tensor(fact.param);
    }
    entries_.push_back(std::move(entry));
  }
}

bool FlatFacts::hold(std::span<const std::int64_t> sizes,
                     std::span<const TensorLayout> tensors) const {
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.is_about_sizes ? holds_for_size(entry.fact, entry.expr.evaluate(sizes))
                                : holds_for_tensor(entry.fact, tensors[entry.tensor]);
  });
}

}  // namespace sinter::ir
