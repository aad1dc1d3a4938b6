// See fuzz_loop.h.
#include "tests/support/fuzz_loop.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/options.h"
#include "tests/support/fuzz_check.h"

namespace sinter::tests {

namespace {

CheckCounts check_one(const Device& device, std::uint64_t number, bool strict,
                      const std::string& expected_hash = {}) {
  const FuzzCase fuzz = make_fuzz_case(number);
  CAPTURE(to_string(fuzz));

  const FuzzVerdict verdict = check_fuzz_case(fuzz, device, strict, expected_hash);

  CHECK_MESSAGE(verdict.trouble.empty(), verdict.trouble);
  return verdict.counts;
}

}  // namespace

void check_fuzz_cases(const Device& device, bool strict, std::uint64_t usual_count) {
  using support::Option;
  const bool is_given = !support::option_text(Option::FuzzCount).empty();
  const auto first = static_cast<std::uint64_t>(support::option_integer(Option::FuzzSeed));
  const std::uint64_t count =
      is_given ? static_cast<std::uint64_t>(support::option_integer(Option::FuzzCount))
               : usual_count;
  CheckCounts counts;
  for (std::uint64_t number = first; number < first + count; ++number) {
    counts.add(check_one(device, number, strict));
  }
  MESSAGE(count, " cases, ", counts.vacuous, " of ", counts.outputs,
          " outputs with vacuous bounds, ", counts.undecided, " of ",
          counts.compared + counts.undecided, " elements undecided");
  CHECK(counts.undecided_share() <= 0.01);
}

void check_fuzz_hashes(const Device& device, const std::string& path, std::int64_t most) {
  std::ifstream file(path);
  REQUIRE(file);
  std::uint64_t number = 0;
  std::int64_t compared = 0;
  for (std::string expected; compared < most && file >> number >> expected; ++compared) {
    check_one(device, number, true, expected);
  }
  CHECK(compared > 0);
  MESSAGE(compared, " cases compared bit for bit");
}

}  // namespace sinter::tests
