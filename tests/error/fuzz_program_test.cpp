// What the fuzzer says of a run that failed: why, and how to see it again.
#include <doctest/doctest.h>

#include "tests/support/run_program.h"

namespace {

sinter::tests::ProgramResult run_fuzz_program(std::vector<std::string> words) {
  words.insert(words.begin(), sinter::tests::program_folder() + "/fuzz");
  return sinter::tests::run_program(words);
}

}  // namespace

TEST_CASE("a run that fails because too much is undecided says so") {
  const auto result = run_fuzz_program({"--first", "228", "--count", "1"});

  CHECK(result.exit_code == 1);
  CHECK(result.out.find(" 0 failed; ") != std::string::npos);
  CHECK_MESSAGE(result.out.find(" % of the elements are undecided, which fails the run: at most "
                                "1 % may be\n") != std::string::npos,
                result.out);
}
