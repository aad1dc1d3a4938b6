// The text of a Config.
#include "codegen/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "support/check.h"

namespace sinter::codegen {

std::int64_t Config::at(const std::string& name) const {
  const auto found = values.find(name);
  support::check(found != values.end(), "config {} has no value {}", to_string(*this), name);
  return found->second;
}

std::string to_string(const Config& config) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : config.values) {
    texts.push_back(fmt::format("{}: {}", name, value));
  }
  return fmt::format("{}{{{}}}", config.schedule, fmt::join(texts, ", "));
}

}  // namespace sinter::codegen
