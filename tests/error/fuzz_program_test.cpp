// What the fuzzer says of a run that failed: why, and how to see it again.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "tests/support/run_program.h"

namespace {

sinter::tests::ProgramResult run_fuzz_program(std::vector<std::string> words) {
  words.insert(words.begin(), sinter::tests::program_folder() + "/fuzz");
  return sinter::tests::run_program(words);
}

}  // namespace

TEST_CASE("a case that fails by its bits names the command that replays it, which fails too") {
  const sinter::tests::TemporaryFolder folder;
  const std::string hashes = folder.write("hashes", "0 0\n");
  const std::string path = folder.path() + "/case_0.txt";

  const auto run = run_fuzz_program(
      {"--strict", "--count", "1", "--expect-hashes", hashes, "--failures", folder.path()});
  const auto replay = run_fuzz_program({"--strict", "--expect-hashes", hashes, "--replay", path});

  const std::string command =
      "# replay: fuzz --strict --expect-hashes " + hashes + " --replay " + path + "\n";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(run.exit_code == 1);
  CHECK_MESSAGE(run.out.find(command) != std::string::npos, run.out);
  CHECK_MESSAGE(text.str().find(command) != std::string::npos, text.str());
  CHECK(replay.exit_code == 1);
  CHECK(replay.out.find("strict: bits differ from those expected\n") != std::string::npos);
}

TEST_CASE("a run that fails because too much is undecided says so") {
  const auto result = run_fuzz_program({"--first", "228", "--count", "1"});

  CHECK(result.exit_code == 1);
  CHECK(result.out.find(" 0 failed; ") != std::string::npos);
  CHECK_MESSAGE(result.out.find(" % of the elements are undecided, which fails the run: at most "
                                "1 % may be\n") != std::string::npos,
                result.out);
}
