// Counts skipped test cases for tests/main.cpp.
#include "tests/support/skip.h"

#include <cstdio>

namespace sinter::tests {

namespace {
unsigned skipped = 0;
}

void skip(std::string_view reason) {
  std::printf("[SKIP] %.*s\n", static_cast<int>(reason.size()), reason.data());
  ++skipped;
}

unsigned skipped_cases() { return skipped; }

}  // namespace sinter::tests
