// Reads the environment through the options table.
#include "support/options.h"

#include <charconv>
#include <cstdlib>

#include "support/check.h"

namespace sinter::support {

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = {
#define SINTER_OPTION(name, variable, fallback, meaning) \
  {Option::name, variable, fallback, meaning},
#include "support/options.def"
#undef SINTER_OPTION
  };
  return rows;
}

std::string option_text(Option option) {
  const OptionRow& row = option_rows()[static_cast<std::size_t>(option)];
  const char* value = std::getenv(std::string(row.variable).c_str());
  return value ? std::string(value) : std::string(row.fallback);
}

std::int64_t option_integer(Option option) {
  const std::string text = option_text(option);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    const OptionRow& row = option_rows()[static_cast<std::size_t>(option)];
    throw_user("{} is '{}'; a whole number is needed", row.variable, text);
  }
  return value;
}

}  // namespace sinter::support
