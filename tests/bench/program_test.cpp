// The program `bench` where its command line cannot be followed.
#include <doctest/doctest.h>

#include "tests/support/run_program.h"

TEST_CASE("files that cannot be written are told before anything is measured") {
  for (const std::string option : {"--json", "--svg"}) {
    const auto result = sinter::tests::run_program(
        {sinter::tests::program_folder() + "/bench", option, "/no/folder/file"});

    CHECK(result.exit_code == 6);
    CHECK(result.out.empty());
    CHECK(result.err == "bench: cannot write '/no/folder/file': No such file or directory\n");
  }
}
