// Strict results are the same in every run: what hashes of them rest on.
#include <doctest/doctest.h>

#include "tests/support/fuzz_check.h"

using namespace sinter;

TEST_CASE("strict results on the CPU are the same in every run") {
  for (std::uint64_t number = 0; number < 12; ++number) {
    const tests::FuzzCase fuzz = tests::make_fuzz_case(number);
    CAPTURE(tests::to_string(fuzz));

    const auto first = tests::check_fuzz_case(fuzz, Device::cpu(), true);
    const auto second = tests::check_fuzz_case(fuzz, Device::cpu(), true, first.hash);

    CHECK(first.trouble == "");
    CHECK(second.trouble == "");
    CHECK(!first.hash.empty());
  }
}
