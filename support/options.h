// The options table: the one place where the environment is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::support {

enum class Option {
#define SINTER_OPTION(name, variable, fallback, meaning) name,
#include "support/options.def"
#undef SINTER_OPTION
};

struct OptionRow {
  Option option;
  std::string_view variable;
  std::string_view fallback;
  std::string_view meaning;
};

/// All rows, in the order of options.def.
const std::vector<OptionRow>& option_rows();

/// The environment's value, or the default where the variable is unset. Read anew on each call.
std::string option_text(Option option);

/// The same as a whole number. Throws UserError when the text is not one.
std::int64_t option_integer(Option option);

}  // namespace sinter::support
