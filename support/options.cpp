// Reads the environment through the options table.
#include "support/options.h"

#include <charconv>
#include <cstdlib>

#include "support/check.h"
#include "support/printable.h"

namespace sinter::support {

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = {
#define SINTER_OPTION(name, variable, fallback, meaning) \
  {Option::name, variable, fallback, meaning},
#define SINTER_INTEGER_OPTION(name, variable, fallback, least, most, meaning) \
  {Option::name, variable, fallback, meaning, least, most},
#include "support/options.def"
#undef SINTER_INTEGER_OPTION
#undef SINTER_OPTION
  };
  return rows;
}

std::string option_text(Option option) {
  const OptionRow& row = option_rows()[static_cast<std::size_t>(option)];
  const char* value = std::getenv(std::string(row.variable).c_str());
  return value && *value ? std::string(value) : std::string(row.fallback);
}

std::int64_t option_integer(Option option) {
  const OptionRow& row = option_rows()[static_cast<std::size_t>(option)];
  const std::string text = option_text(option);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = code == std::errc() && end == text.data() + text.size();
  if (is_whole && row.least <= value && value <= row.most) return value;
  if (row.most == INT64_MAX) {
    throw_user("{} is '{}'; a whole number of at least {} is needed", row.variable, printable(text),
               row.least);
  }
  throw_user("{} is '{}'; a whole number from {} to {} is needed", row.variable, printable(text),
             row.least, row.most);
}

}  // namespace sinter::support
