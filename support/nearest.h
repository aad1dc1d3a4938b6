// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinter::support {

/// The name of `names` with the smallest edit distance to `name`, if it is close enough to be
/// meant (at most a third of its length, at least 2); else empty. Ties: the first.
std::string nearest_name(std::string_view name, const std::vector<std::string>& names);
/// "; did you mean 'x'?" for the nearest name, or an empty text.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);
/// The same, or "; one of x, y is needed" where no name is near.
std::string did_you_mean_or_list(std::string_view name, const std::vector<std::string>& names);

}  // namespace sinter::support
