// Mistakes on the command line and in the program's surroundings.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"

using sinter::tests::run_program;
using sinter::tests::run_sinter;

namespace {

const std::string kTask = "examples/tasks/graph_text.yaml";

std::string shell_sinter() { return sinter::tests::program_folder() + "/sinter"; }

}  // namespace

TEST_CASE("an empty value of an option is a usage error that names the option") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"run", kTask, "--json", ""}, "--json"},
      {{"run", kTask, "--device", ""}, "--device"},
      {{"run", kTask, "--ops", ""}, "--ops"},
      {{"run", ""}, "task"},
      {{"explain", kTask, "--arch", ""}, "--arch"},
      {{"explain", kTask, "--device", ""}, "--device"},
      {{"doctor", "--device", ""}, "--device"},
      {{"ops", "--ops", ""}, "--ops"},
  };

  for (const auto& [words, option] : cases) {
    const auto result = run_sinter(words);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "sinter: " + option + ": the value is empty (sinter --help tells more)\n");
  }
}

TEST_CASE("numbers on the command line are whole and in range") {
  for (const std::string value : {"0", "-1", "1.5", "many", "99999999999999999999"}) {
    const auto result = run_sinter({"run", kTask, "--iterations", value});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "sinter: --iterations: '" + value +
                            "' is given, a whole number of at least 1 is needed (sinter --help "
                            "tells more)\n");
  }
}

TEST_CASE("numbers in the environment are in range, and empty variables count as unset") {
  const auto result = run_sinter({"run", kTask, "--device", "cpu"}, {"SINTER_DEBUG=5"});
  CHECK(result.exit_code == 2);
  CHECK(result.err == "sinter: SINTER_DEBUG is '5'; a whole number from 0 to 4 is needed\n");
  CHECK(run_sinter({"doctor", "--device", "cpu"}, {"SINTER_THREADS=-1"}).err ==
        "sinter: SINTER_THREADS is '-1'; a whole number from 0 to 65536 is needed\n");

  const auto empty = run_sinter({"run", kTask, "--device", "cpu", "--iterations", "1"},
                                {"SINTER_DEBUG=", "SINTER_THREADS=", "SINTER_DISABLE_PASSES="});
  CHECK_MESSAGE(empty.exit_code == 0, empty.err);
}

TEST_CASE("a closed standard output is an error, and no file gets what was meant for it") {
  const sinter::tests::TemporaryFolder folder;
  const std::string json = folder.path() + "/run.json";

  CHECK(run_program({"sh", "-c", shell_sinter() + " ops >&-"}).exit_code == 6);
  const auto run = run_program({"sh", "-c",
                                shell_sinter() + " run " + kTask +
                                    " --device cpu --iterations 1 --json " + json + " >&- <&-"});

  CHECK(run.exit_code == 6);
  CHECK(run.err == "sinter: standard output cannot be written\n");
  std::ifstream file(json);
  CHECK(nlohmann::json::parse(file)["is_right"] == true);
}

TEST_CASE("with standard error closed the exit code still tells") {
  CHECK(run_program({"sh", "-c", shell_sinter() + " ops 2>&-"}).exit_code == 0);
  CHECK(run_program({"sh", "-c", shell_sinter() + " run /no/file 2>&-"}).exit_code == 2);
}

TEST_CASE("what a message quotes cannot command the terminal") {
  const auto result = run_sinter({"run", kTask, "--device", "\x1b[2J\xff"});

  CHECK(result.exit_code == 2);
  CHECK(
      result.err ==
      "sinter: device '\\x1b[2J\\xff'; 'cpu', 'gpu', 'cuda', 'cuda:<index>' or 'best' is needed\n");
}
