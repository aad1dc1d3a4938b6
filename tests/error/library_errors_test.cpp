// Operators of one name, and libraries that bring nothing: the whole message each, naming both places.
#include <doctest/doctest.h>

#include "tests/support/run_program.h"

using sinter::tests::program_folder;
using sinter::tests::run_program;
using sinter::tests::run_sinter;

namespace {

std::string library(const std::string& name) { return program_folder() + "/lib" + name + ".so"; }

/// What `sinter ops` says of these libraries, without what it begins with.
std::string trouble_with(const std::vector<std::string>& names) {
  std::vector<std::string> words = {"ops"};
  for (const std::string& name : names) words.insert(words.end(), {"--ops", library(name)});
  const auto result = run_sinter(words);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  return result.err;
}

}  // namespace

TEST_CASE("an operator of a library with the name of a built-in is refused with both places") {
  CHECK(trouble_with({"taken_names"}) ==
        "sinter: operator library '" + library("taken_names") +
            "': operators of one name are defined: 'softmax' at tools/builtin_ops.cpp:19 and at "
            "tests/libraries/taken_names.cpp:4; rename one of each\n");
}

TEST_CASE("an operator of a program with the name of a built-in is refused with both places") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"ops"}, {"run", "examples/tasks/softmax_bf16.yaml"}}) {
    std::vector<std::string> command = {program_folder() + "/own_softmax"};
    command.insert(command.end(), words.begin(), words.end());
    const auto result = run_program(command);

    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    // Which of the two was registered first is the linker's choice.
    const bool is_own_first = result.err.find("at tests/") < result.err.find("at tools/");
    const std::string own = "tests/programs/own_softmax.cpp:5";
    const std::string builtin = "tools/builtin_ops.cpp:19";
    CHECK(result.err == "sinter: operators of one name are defined: 'softmax' at " +
                            (is_own_first ? own : builtin) + " and at " +
                            (is_own_first ? builtin : own) + "; rename one of each\n");
  }
}

TEST_CASE("a library that brings no operator says why") {
  CHECK(trouble_with({"no_operators"}) == "sinter: operator library '" + library("no_operators") +
                                              "' registers no operator; it needs a SINTER_OP\n");
  CHECK(trouble_with({"known_first", "known_first"}) ==
        "sinter: operator library '" + library("known_first") +
            "' is loaded already; it may be given once\n");
  CHECK(trouble_with({"known_first", "known_second"}) ==
        "sinter: operator library '" + library("known_second") +
            "' registers only what is there already, from the same source: known_operator of "
            "tests/libraries/known_operator.h:6\n");
}
