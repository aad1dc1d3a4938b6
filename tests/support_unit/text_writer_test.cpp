// Indented text.
#include "support/text_writer.h"

#include <doctest/doctest.h>

namespace sinter::support {

TEST_CASE("lines are indented by two spaces a level") {
  TextWriter writer;
  writer.line("loop {} {{", "i");
  {
    const TextWriter::Scope scope(writer);
    writer.line("body({});", 3);
  }
  writer.line("}}");

  CHECK(writer.text() == "loop i {\n  body(3);\n}\n");
}

TEST_CASE("each line of a longer text is indented, empty ones have no trailing spaces") {
  TextWriter writer;
  writer.indent();
  writer.append("a\n\nb");
  writer.blank();
  writer.dedent();
  writer.line("c");

  CHECK(writer.text() == "  a\n\n  b\n\nc\n");
}

}  // namespace sinter::support
