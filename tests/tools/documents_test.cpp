// What README and the guide show is what the examples, which are built and run, contain.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "tests/support/run_program.h"

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The first SINTER_OP of a text, with its body.
std::string first_operator(const std::string& text) {
  const std::size_t begin = text.find("SINTER_OP(");
  REQUIRE(begin != std::string::npos);
  return text.substr(begin, text.find("\n}", begin) + 2 - begin);
}

}  // namespace

TEST_CASE("the operator of the README is that of example 03") {
  CHECK(read("examples/03_projection_with_residual.cpp").find(first_operator(read("README.md"))) !=
        std::string::npos);
}

TEST_CASE("the operator of the guide compiles as it says, loads and runs") {
  const sinter::tests::TemporaryFolder folder;
  const std::string source =
      folder.write("relu_bias.cpp", "#include <sinter/sinter.h>\nnamespace sn = sinter;\n" +
                                        first_operator(read("docs/guide.md")) + "\n");
  const std::string library = folder.path() + "/librelu_bias.so";
  const auto built = sinter::tests::run_program(
      {"c++", "-std=c++20", "-shared", "-fPIC", "-I", "include", source, "-o", library});
  REQUIRE_MESSAGE(built.exit_code == 0, built.err);
  const std::string task =
      folder.write("relu_bias.yaml",
                   "task:\n  name: relu_bias\n  device: cpu\n  inputs:\n"
                   "    - {name: x, shape: [1000, 64]}\n    - {name: bias, shape: [64]}\n");

  const auto run = sinter::tests::run_sinter({"run", task, "--ops", library});

  CHECK_MESSAGE(run.exit_code == 0, run.err);
}
