// doctor, ops and explain.
#include <doctest/doctest.h>

#include "tests/support/run_program.h"

using sinter::tests::run_sinter;

TEST_CASE("doctor proves a vector addition and is well without a GPU") {
  const auto result = run_sinter({"doctor"}, {"SINTER_CUDA_DRIVER=none"});

  CHECK_MESSAGE(result.exit_code == 0, (result.out + result.err));
  CHECK(result.out.find("gpu       no usable GPU: ") == 0);
  CHECK(result.out.find("addition   right") != std::string::npos);
  CHECK(result.out.find("verdict   well") != std::string::npos);
  for (const char* line : {"\nsinter    0.", "\ncuda      ", "\nllvm      ", "\ncache     "}) {
    CHECK(result.out.find(line) != std::string::npos);
  }
}

TEST_CASE("doctor of a GPU that is not there is an environment error") {
  CHECK(run_sinter({"doctor", "--device", "cuda:0"}, {"SINTER_CUDA_DRIVER=none"}).exit_code == 6);
}

TEST_CASE("ops lists registered operators and the language") {
  CHECK(run_sinter({"ops"}).out.find("vector_add(a, b)\n") != std::string::npos);
  CHECK(run_sinter({"ops", "--language"}).out.find("matmul ") != std::string::npos);
}

TEST_CASE("operators come from a user's library") {
  const std::string library = sinter::tests::program_folder() + "/lib05_operator_library.so";

  CHECK(run_sinter({"ops", "--ops", library}).out.find("leaky_clamp(x, limit)\n") !=
        std::string::npos);
  const auto result = run_sinter(
      {"run", "examples/05_operator_library/task.yaml", "--ops", library, "--device", "cpu"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
}

TEST_CASE("an operator that no given library has is told without the hint to load one") {
  const std::string library = sinter::tests::program_folder() + "/lib05_operator_library.so";
  const sinter::tests::TemporaryFolder folder;
  const std::string task = folder.write("t.yaml", "task:\n  name: leaky_clam\n");

  CHECK(run_sinter({"run", task, "--ops", library}).err ==
        "sinter: there is no operator 'leaky_clam'; did you mean 'leaky_clamp'?\n");
  CHECK(run_sinter({"check", task}).err.find("(operators of a library need --ops LIB)\n") !=
        std::string::npos);
}

TEST_CASE("a library that cannot be loaded or has no operator is a usage error") {
  CHECK(run_sinter({"ops", "--ops", "/no/lib.so"}).exit_code == 2);
  const auto result = run_sinter({"ops", "--ops", "/no/lib.so"});
  CHECK(result.err.find("sinter: operator library '/no/lib.so' cannot be loaded: ") == 0);
}

TEST_CASE("explain shows plan and sources, for a GPU that is not there too") {
  const auto cpu = run_sinter({"explain", "examples/tasks/softmax_bf16.yaml", "--device", "cpu"});
  CHECK_MESSAGE(cpu.exit_code == 0, cpu.err);
  CHECK(cpu.out.find("define void") != std::string::npos);
  CHECK(cpu.out.starts_with("target cpu "));
  CHECK(cpu.out.find("features") > cpu.out.find("\nplan of "));  // a page long: last

  const auto gpu = run_sinter({"explain", "examples/tasks/softmax_bf16.yaml", "--arch", "sm_90a"});
  CHECK_MESSAGE(gpu.exit_code == 0, gpu.err);
  CHECK(gpu.out.find("__global__") != std::string::npos);
}

TEST_CASE("an architecture that is not known is a usage error with the list of known ones") {
  for (const std::string arch : {"nonsense", "sm_999", "90", "SM_90", "sm_90a "}) {
    const auto result = run_sinter({"explain", "examples/tasks/softmax_bf16.yaml", "--arch", arch});
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "sinter: found the CUDA target '" + arch +
                            "', one of sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, "
                            "sm_100, sm_100a, sm_120, sm_120a is needed\n");
  }
}

TEST_CASE("output that cannot be written is an environment error, and a device is not replaced") {
  const std::string sinter = sinter::tests::program_folder() + "/sinter";
  const auto ops = sinter::tests::run_program({"sh", "-c", sinter + " ops > /dev/full"});
  CHECK(ops.exit_code == 6);
  CHECK(ops.err == "sinter: standard output cannot be written\n");

  const auto json = run_sinter({"run", "examples/tasks/graph_text.yaml", "--device", "cpu",
                                "--iterations", "1", "--json", "/dev/full"});
  CHECK(json.exit_code == 6);
  CHECK(json.err == "sinter: cannot write '/dev/full': No space left on device\n");
}
