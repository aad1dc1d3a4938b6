// Skipping a test case on a machine that lacks what it needs.
#pragma once

#include <string_view>

namespace sinter::tests {

/// Prints "[SKIP] reason" and counts the running case as skipped; the case then returns. An executable
/// whose cases all skipped ends with 77. Call at most once a case.
void skip(std::string_view reason);

/// How many cases called skip so far.
unsigned skipped_cases();

}  // namespace sinter::tests
