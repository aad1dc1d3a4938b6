// docs/options.md says what support/options.def says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "support/options.h"

TEST_CASE("every option stands in docs/options.md with its default and meaning") {
  std::ifstream file("docs/options.md");
  std::ostringstream text;
  text << file.rdbuf();
  std::size_t rows = 0;
  for (const sinter::support::OptionRow& row : sinter::support::option_rows()) {
    const std::string fallback = row.fallback.empty() ? "" : fmt::format("`{}`", row.fallback);
    const std::string line =
        fmt::format("| `{}` | {} | {} |\n", row.variable, fallback, row.meaning);
    CHECK_MESSAGE(text.str().find(line) != std::string::npos, line);
    ++rows;
  }
  CHECK(rows > 0);
}
