// `sinter check` on the CPU: a table, exit codes, errors.
#include <doctest/doctest.h>

#include "tests/support/run_program.h"

using sinter::tests::run_sinter;
using sinter::tests::TemporaryFolder;

namespace {

const std::string kNamed =
    "task:\n"
    "  name: scaled_rows\n"
    "  device: cpu\n"
    "  graph: |\n"
    "    graph scaled_rows(%x: bf16[n, 64], %alpha: bf16 {host: true}) {\n"
    "      %0: bf16[n, 64] = broadcast(%alpha) {shape: [n, 64]}\n"
    "      %1: bf16[n, 64] = mul(%x, %0)\n"
    "      return %1\n"
    "    }\n"
    "  inputs:\n"
    "    - {name: x, dtype: bf16, shape: [5, 64]}\n"
    "    - {name: alpha, dtype: bf16, value: 2}\n";

// Its result is 0 with a bound above 0: nothing can be proved.
const std::string kVacuous =
    "task:\n"
    "  name: nothing\n"
    "  device: cpu\n"
    "  graph: |\n"
    "    graph nothing(%x: f32[64]) {\n"
    "      %0: f32[64] = exp(%x)\n"
    "      %1: f32[64] = sub(%0, %0)\n"
    "      %2: f32[] = reduce(%1) {axes: [0], reducer: add}\n"
    "      return %2\n"
    "    }\n"
    "  inputs:\n"
    "    - {name: x, shape: [64]}\n";

}  // namespace

TEST_CASE("check prints a line for each family of inputs, and passes") {
  const TemporaryFolder folder;

  const auto result = run_sinter({"check", folder.write("t.yaml", kNamed), "--elements", "0"});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("scaled_rows on cpu, seed 1\n") == 0);
  for (const char* family :
       {"uniform", "normal", "positive", "cancelling", "wide", "special", "integers"}) {
    CHECK(result.out.find(std::string("\n") + family + " ") != std::string::npos);
  }
  CHECK(result.out.find(" 320 ") != std::string::npos);
  CHECK(result.out.find("\npassed\n") != std::string::npos);
}

TEST_CASE("check runs only the families that are named, with another seed") {
  const TemporaryFolder folder;

  const auto result = run_sinter({"check", folder.write("t.yaml", kNamed), "--inputs", "integers",
                                  "--seed", "7", "--runs", "3", "--device", "cpu"});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("scaled_rows on cpu, seed 7\n") == 0);
  CHECK(result.out.find("uniform") == std::string::npos);
}

TEST_CASE("a check that proves nothing fails with exit code 3") {
  const TemporaryFolder folder;
  const std::string task = folder.write("t.yaml", kVacuous);

  const auto checked = run_sinter({"check", task, "--inputs", "uniform"});

  CHECK(checked.exit_code == 3);
  CHECK(checked.out.find("output 0: the bounds are too wide to prove anything") !=
        std::string::npos);
  CHECK(checked.out.find("\nFAILED\n") != std::string::npos);
  CHECK(run_sinter({"run", task}).exit_code == 3);
}

TEST_CASE("where outputs have no element, check and run say that nothing was compared") {
  const TemporaryFolder folder;
  const std::string task = folder.write(
      "t.yaml",
      "task:\n  name: vector_add\n  device: cpu\n  benchmark_iterations: 1\n  inputs:\n"
      "    - {name: a, shape: [0, 3]}\n    - {name: b, shape: [0, 3]}\n");

  const auto checked = run_sinter({"check", task, "--inputs", "uniform"});
  const auto run = run_sinter({"run", task});

  CHECK_MESSAGE(checked.exit_code == 0, checked.err);
  CHECK(checked.out.find("  nothing to compare\n"
                         "passed, but nothing was compared: the outputs have no element\n") !=
        std::string::npos);
  CHECK_MESSAGE(run.exit_code == 0, run.err);
  CHECK(run.out.find("\ncheck     nothing was compared: it has no element\n") != std::string::npos);
}

TEST_CASE("check refuses families that there are not, and too few runs") {
  const TemporaryFolder folder;
  const std::string task = folder.write("t.yaml", kNamed);

  const auto family = run_sinter({"check", task, "--inputs", "zeros"});
  CHECK(family.exit_code == 2);
  CHECK(family.err ==
        "sinter: --inputs: unknown family 'zeros'; one of uniform, normal, positive, cancelling, "
        "wide, special, integers is needed\n");
  CHECK(run_sinter({"check", task, "--runs", "1"}).exit_code == 2);
  const auto seed =
      run_sinter({"check", task, "--inputs", "uniform", "--seed", "18446744073709551615"});
  CHECK(seed.out.find("scaled_rows on cpu, seed 18446744073709551615\n") == 0);
}
