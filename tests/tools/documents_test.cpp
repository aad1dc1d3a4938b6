// What README and the guide show is what the examples, which are built and run, contain; what the table of
// differences says is tested.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
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

/// Group 1 of every match of `pattern` in `text`.
std::multiset<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::multiset<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

std::string language_tests() {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator("tests/language")) {
    text += read(file.path());
  }
  return text;
}

}  // namespace

TEST_CASE("every rule of docs/differences.md has one test under its id, and no other has one") {
  const auto rules = matches(read("docs/differences.md"), "\\n\\| (D[0-9]+) \\|");
  const auto tests = matches(language_tests(), "TEST_CASE\\(\\s*\"differs (D[0-9]+): ");

  CHECK(rules.size() >= 30);
  CHECK(std::set<std::string>(rules.begin(), rules.end()).size() == rules.size());
  CHECK(fmt::format("{}", fmt::join(rules, " ")) == fmt::format("{}", fmt::join(tests, " ")));
}

TEST_CASE("the operator of the README is that of example 03") {
  CHECK(read("examples/03_projection_with_residual.cpp").find(first_operator(read("README.md"))) !=
        std::string::npos);
}

TEST_CASE("the examples are installed with the header that they share, and compile there") {
  const sinter::tests::TemporaryFolder folder;
  const auto installed =
      sinter::tests::run_program({"cmake", "--install", sinter::tests::program_folder() + "/..",
                                  "--component", "examples", "--prefix", folder.path()});
  REQUIRE_MESSAGE(installed.exit_code == 0, installed.err);
  const std::string root = folder.path() + "/share/sinter";

  for (const char* name : {"01_vector_addition", "06_host_scalars"}) {
    const auto built =
        sinter::tests::run_program({"c++", "-std=c++20", "-fsyntax-only", "-I", "include", "-I",
                                    root, root + "/examples/" + name + ".cpp"});
    CHECK_MESSAGE(built.exit_code == 0, built.err);
  }
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
