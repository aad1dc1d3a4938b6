// See named_sizes.h.
#include "runtime/named_sizes.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "support/check.h"
#include "support/nearest.h"

namespace sinter::runtime {

void check_named_sizes(const ir::Graph& graph, const ir::Sizes& sizes, std::string_view option) {
  std::vector<std::string> names;
  for (const ir::SizeStep& step : ir::size_steps(graph)) names.push_back(step.name);
  for (const auto& [name, value] : sizes) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string hint = support::did_you_mean(name, names);
      if (hint.empty() && !names.empty()) {
        hint = fmt::format("; its dimensions: {}", fmt::join(names, ", "));
      }
      support::throw_user("{} names '{}', which is no dimension of {}{}", option, name,
                          graph.name(), hint);
    }
    if (value < 0) {
      support::throw_user("{} has {} for the dimension '{}'; at least 0 is needed", option, value,
                          name);
    }
  }
}

}  // namespace sinter::runtime
