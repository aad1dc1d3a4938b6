// Writes docs/operators.md: `language_reference docs/operators.md` in the repository's root, or to standard
// output without a path. Exit code 1 where ir/ops.examples is not whole.
#include <fmt/format.h>

#include <fstream>

#include "tests/support/language_reference.h"

namespace {

int write_page(const char* path) {
  const auto table = sinter::tests::read_operator_table();
  const std::string faults = sinter::tests::table_faults(table);
  if (!faults.empty()) {
    fmt::print(stderr, "{}", faults);
    return 1;
  }
  const std::string page = sinter::tests::make_language_reference(table);
  if (path == nullptr) {
    fmt::print("{}", page);
    return 0;
  }
  std::ofstream file(path);
  file << page;
  if (file.flush()) return 0;
  fmt::print(stderr, "language_reference: '{}' cannot be written\n", path);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "language_reference: at most one path is needed; given {}\n", argc - 1);
    return 2;
  }
  try {
    return write_page(argc == 2 ? argv[1] : nullptr);
  } catch (const sinter::UserError& error) {
    fmt::print(stderr, "language_reference: {}\n", error.what());
    return 2;
  }
}
