// The options table: the one place where the environment is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::support {

enum class Option {
#define SINTER_OPTION(name, variable, fallback, meaning) name,
#define SINTER_INTEGER_OPTION(name, variable, fallback, least, most, meaning) name,
#include "support/options.def"
#undef SINTER_INTEGER_OPTION
#undef SINTER_OPTION
};

struct OptionRow {
  Option option;
  std::string_view variable;
  std::string_view fallback;
  std::string_view meaning;
  std::int64_t least = INT64_MIN;  // whole numbers only
  std::int64_t most = INT64_MAX;
};

/// All rows, in the order of options.def.
const std::vector<OptionRow>& option_rows();

/// The environment's value, or the default where the variable is unset or empty. Read anew on each
/// call.
std::string option_text(Option option);

/// The same as a whole number. UserError where the text is none, or none from least to most.
std::int64_t option_integer(Option option);

}  // namespace sinter::support
