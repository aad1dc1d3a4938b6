// Texts of unknown origin in messages.
#include "support/printable.h"

#include <doctest/doctest.h>

namespace sinter::support {

TEST_CASE("whole code points stay, everything else is escaped") {
  CHECK(printable("a b\n\tc") == "a b\n\tc");
  CHECK(printable("\u00e9 \u20ac \U0001f600") == "\u00e9 \u20ac \U0001f600");
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");           // cut short
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");           // over-long
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("the first code point is shown whole") {
  CHECK(first_printable("\u00e9x") == "\u00e9");
  CHECK(first_printable("\x7f") == "\\x7f");
  CHECK(code_point_bytes("") == 0);
}

}  // namespace sinter::support
