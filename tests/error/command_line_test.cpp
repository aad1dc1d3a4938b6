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
      {{"run", ""}, "TASK"},
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

TEST_CASE(
    "a command line that does not fit is one line: the option, what is given, what is needed") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "no subcommand is given; one of doctor, ops, explain, run, check, ceilings is needed"},
      {{"rnu"}, "there is no subcommand 'rnu'; did you mean 'run'?"},
      {{"--device", "cpu"},
       "'--device' is no subcommand; one of doctor, ops, explain, run, check, ceilings is needed "
       "first"},
      {{"run"}, "TASK is not given; needed: a task file (docs/tasks.md)"},
      {{"explain", "--arch", "sm_90a"}, "TASK is not given; needed: a task file (docs/tasks.md)"},
      {{"check"},
       "TASK is not given; needed: a task file (docs/tasks.md); the values of its inputs are not "
       "used"},
      {{"run", kTask, "--jsn", "x"}, "there is no option '--jsn'; did you mean '--json'?"},
      {{"ops", "--frobnicate"},
       "there is no option '--frobnicate'; one of --help, --ops, --language is needed"},
      {{"run", kTask, "more"}, "the argument 'more' is one too many"},
      {{"run", kTask, "--json"}, "--json is given without a value; one is needed"},
      {{"run", kTask, "--json", "a", "--json", "b"}, "--json is given 2 times; once is needed"},
      {{"explain", kTask, "--arch", "sm_90a", "--device", "cpu"},
       "--device excludes --arch: only one may be given"},
      {{"check", kTask, "--seed", "-1"},
       "--seed: '-1' is given, a whole number from 0 to 18446744073709551615 is needed"},
      {{"check", kTask, "--seed", "18446744073709551616"},
       "--seed: '18446744073709551616' is given, a whole number from 0 to 18446744073709551615 is "
       "needed"},
      {{"check", kTask, "--runs", "1048577"},
       "--runs: '1048577' is given, a whole number from 2 to 1048576 is needed"},
      {{"run", kTask, "--print", "0"},
       "--print: '0' is given, a whole number of at least 1 is needed"},
      {{"run", kTask, "--save", ""}, "--save: the value is empty"},
  };

  for (const auto& [words, message] : cases) {
    const auto result = run_sinter(words);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "sinter: " + message + " (sinter --help tells more)\n");
  }
}

TEST_CASE("the programs of the tests tell wrong options in the same words, before they run") {
  const sinter::tests::TemporaryFolder folder;
  const std::string file = folder.write("file", "no hashes\n");
  const std::string graph = "graph g(%x: f32[n]) {\n  %0: f32[n] = neg(%x)\n  return %0\n}\n";
  const std::string unknown =
      folder.write("unknown", "seed 1\nsize n 5\ninput y misaligned normal\n" + graph);
  const std::string huge = folder.write("huge", "seed 1\nsize n 99999999999\n" + graph);
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"fuzz", "--replay", unknown},
       "the case has a line for the input 'y', which g has not; did you mean 'x'?"},
      {{"fuzz", "--replay", huge},
       "f32[n] has 99999999999 elements in the case; at most 16777216 are compared"},
      {{"fuzz", "--count", "0"},
       "--count: '0' is given, a whole number of at least 1 is needed (fuzz --help tells more)"},
      {{"fuzz", "--workers", "257"},
       "--workers: '257' is given, a whole number from 1 to 256 is needed (fuzz --help tells "
       "more)"},
      {{"fuzz", "--worker", "2"},
       "there is no option '--worker'; did you mean '--workers'? (fuzz --help tells more)"},
      {{"fuzz", "--first"},
       "--first is given without a value; one is needed (fuzz --help tells more)"},
      {{"fuzz", "--write-hashes", "x"},
       "--write-hashes and --expect-hashes are of strict runs; --strict is needed"},
      {{"fuzz", "--strict", "--write-hashes", "/no/hashes"},
       "--write-hashes: '/no/hashes' cannot be written"},
      {{"fuzz", "--strict", "--expect-hashes", "/no/hashes"},
       "'/no/hashes' cannot be read: No such file or directory"},
      {{"fuzz", "--strict", "--expect-hashes", file},
       "--expect-hashes: '" + file +
           "' has 0 lines of a case's number and its bits, then something else; a file of "
           "--write-hashes is needed"},
      {{"fuzz", "--failures", file}, "--failures: '" + file + "' is no folder"},
      {{"fuzz", "--replay", "/no/case"}, "'/no/case' cannot be read: No such file or directory"},
      {{"ulp", "--count", "many"},
       "--count: 'many' is given, a whole number from 1 to 1099511627776 is needed (ulp --help "
       "tells "
       "more)"},
      {{"ulp", "--threads", "0"},
       "--threads: '0' is given, a whole number from 1 to 1024 is needed (ulp --help tells more)"},
      {{"ulp", "--functions", "exp,sine"},
       "--functions: 'sine' is no elementary function; did you mean 'sin'?"},
  };

  for (const auto& [words, message] : cases) {
    std::vector<std::string> command = words;
    command[0] = sinter::tests::program_folder() + "/" + words[0];
    const auto result = run_program(command);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == words[0] + ": " + message + "\n");
  }
}

TEST_CASE("--version prints one line") {
  const auto result = run_sinter({"--version"});

  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("sinter 0."));
  CHECK(result.out.find('\n') == result.out.size() - 1);
}

TEST_CASE("scripts refuse arguments that they do not take") {
  for (const std::string script : {"demo", "setup"}) {
    const auto result = run_program({"scripts/" + script, "--foo"});
    CHECK(result.exit_code == 2);
    CHECK(result.err ==
          "usage: scripts/" + script + " (it takes no arguments; '--foo' is given)\n");
  }
  for (const std::string word : {"--foo", "/no/folder"}) {
    const auto result = run_program({"scripts/gpu", word});
    CHECK(result.exit_code == 2);
    CHECK(result.err ==
          "usage: scripts/gpu [FOLDER] [--only PATTERN], where FOLDER holds built programs "
          "(without: they are built)\n");
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
