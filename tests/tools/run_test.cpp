// `sinter run` on the CPU: right results, figures, JSON, claims, environment errors.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"

using sinter::tests::run_sinter;
using sinter::tests::TemporaryFolder;

namespace {

const std::string kProjection =
    "task:\n"
    "  name: attention_output_projection_with_residual\n"
    "  device: cpu\n"
    "  inputs:\n"
    "    - {name: attn_output, shape: [2, 16, 64]}\n"
    "    - {name: residual, shape: [2, 16, 64]}\n"
    "    - {name: o_proj_weight, shape: [64, 64]}\n"
    "  fusion:\n"
    "    fused_ops: [matmul, residual_add]\n"
    "  warmup_iterations: 1\n"
    "  benchmark_iterations: 3\n";

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

}  // namespace

TEST_CASE("a task runs, is right, and its figures stand in the JSON") {
  const TemporaryFolder folder;
  const std::string json = folder.path() + "/run.json";

  const auto result = run_sinter({"run", folder.write("t.yaml", kProjection), "--json", json});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("result    right") != std::string::npos);
  const nlohmann::json figures = read_json(json);
  CHECK(figures["is_right"] == true);
  CHECK(figures["iterations"] == 3);
  CHECK(figures["flops"] == 2.0 * 32 * 64 * 64 + 32 * 64);
  CHECK(figures["ideal_bytes"] == 4.0 * (3 * 32 * 64 + 64 * 64));
  CHECK(figures["kernels"] == 1);
  CHECK(figures["fusion"] == "matmul + residual_add run in one kernel");
  CHECK(figures["share"] > 0);
  CHECK(figures["share_of"].is_string());
  CHECK(figures["is_plausible"] == true);
  for (const char* stage : {"compile", "load", "warm_up", "execute", "share", "collect"}) {
    CHECK(figures.contains(std::string(stage) + "_ms"));
  }
}

TEST_CASE("SINTER_DEBUG tells of kernels, then of sources, then of graphs") {
  const TemporaryFolder folder;
  const std::string task = folder.write("t.yaml", kProjection);
  const auto errors_at = [&](const std::string& level) {
    return run_sinter({"run", task}, {"SINTER_DEBUG=" + level, "SINTER_CACHE_DIR=off"}).err;
  };
  const auto tells = [](const std::string& errors, const std::string& what) {
    return errors.find(what) != std::string::npos;
  };

  CHECK(errors_at("0").empty());
  CHECK(tells(errors_at("1"), ": class 0 {"));
  CHECK_FALSE(tells(errors_at("2"), "define void @"));
  CHECK(tells(errors_at("3"), "define void @"));
  CHECK_FALSE(tells(errors_at("3"), "graph as traced"));
  CHECK(tells(errors_at("4"), "graph as traced"));
}

TEST_CASE("without fusion it is right too, and says that the claim does not hold") {
  const TemporaryFolder folder;
  std::string text = kProjection;
  text.insert(text.find("    fused_ops"), "    enable: false\n");

  const auto result = run_sinter({"run", folder.write("t.yaml", text)});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("result    right") != std::string::npos);
  CHECK(result.out.find("do NOT run in one kernel (2 kernels") != std::string::npos);
}

TEST_CASE("a claim that does not hold says each reason once") {
  const TemporaryFolder folder;
  const std::string task =
      folder.write("t.yaml",
                   "task:\n  name: shares\n  device: cpu\n  benchmark_iterations: 1\n  graph: |\n"
                   "    graph shares(%x: f32[4, 8]) {\n"
                   "      %0: f32[4, 8] = exp(%x)\n"
                   "      %1: f32[4] = sum(%0) {axes: [1]}\n"
                   "      return %0, %1\n    }\n"
                   "  inputs:\n    - {name: x, shape: [4, 8]}\n"
                   "  fusion: {enable: false, fused_ops: [exp, sum]}\n");

  const auto result = run_sinter({"run", task});

  CHECK(result.out.find("exp + sum do NOT run in one kernel (2 kernels: fusion is off; exp: kernel "
                        "0, sum: kernel 1)\n") != std::string::npos);
}

TEST_CASE("a claim about operators made of others holds where one kernel has all their parts") {
  const TemporaryFolder folder;
  const auto fusion = [&](const std::string& keys) {
    const std::string text =
        "task:\n  name: projected\n  device: cpu\n  benchmark_iterations: 1\n  graph: |\n"
        "    graph projected(%x: f32[64, 256], %w: f32[256, 64]) {\n"
        "      %0: f32[64, 256] = mul(%x, %x)\n"
        "      %1: f32[64, 256] = softmax(%0) {axis: 1}\n"
        "      %2: f32[64, 64] = matmul(%1, %w)\n"
        "      %3: f32[64, 64] = gelu(%2)\n"
        "      return %3\n    }\n"
        "  inputs:\n    - {name: x, shape: [64, 256]}\n    - {name: w, shape: [256, 64]}\n"
        "  fusion: " +
        keys + "\n";
    const auto result = run_sinter({"run", folder.write("t.yaml", text)});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    const std::size_t begin = result.out.find("fusion    ");
    REQUIRE(begin != std::string::npos);
    return result.out.substr(begin + 10, result.out.find('\n', begin) - begin - 10);
  };

  CHECK(fusion("{fused_ops: [mul, softmax]}") == "mul + softmax run in one kernel");
  CHECK(fusion("{fused_ops: [matmul, gelu]}") == "matmul + gelu run in one kernel");
  const std::string apart = fusion("{fused_ops: [softmax, gelu]}");
  CHECK(apart.starts_with("softmax + gelu do NOT run in one kernel (2 kernels: "));
  CHECK(apart.ends_with("; softmax: kernel 0, gelu: kernel 1)"));
  CHECK(
      fusion("{enable: false, fused_ops: [mul, softmax]}")
          .ends_with(" kernels: fusion is off; mul: kernel 0, softmax: kernels 1, 2, 3, 4, 5, 6)"));
}

TEST_CASE("what widens a parameter is no part of any operator") {
  const TemporaryFolder folder;
  std::string text = kProjection;  // traced, so parameters have lines beyond the number of nodes
  text.insert(text.find("  inputs:"), "  dtype: bf16\n");

  const auto result = run_sinter({"run", folder.write("t.yaml", text)});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("fusion    matmul + residual_add run in one kernel\n") !=
        std::string::npos);
}

TEST_CASE("where one kernel is all there is, every claim holds, whatever became of the names") {
  const TemporaryFolder folder;
  const std::string task = folder.write(
      "t.yaml",
      "task:\n  name: scaled\n  device: cpu\n  benchmark_iterations: 1\n  graph: |\n"
      "    graph scaled(%x: f32[64, 256], %y: f32[64, 256]) {\n"
      "      %0: f32[64, 256] = mul(%x, %y)\n"
      "      %1: f32[64, 256] = softmax(%0) {axis: 1}\n"
      "      return %1\n    }\n"
      "  inputs:\n    - {name: x, shape: [64, 256]}\n    - {name: y, shape: [64, 256]}\n"
      "  fusion: {fused_ops: [mul, softmax]}\n");

  const auto result = run_sinter({"run", task});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("kernels   1, fusion on\nfusion    mul + softmax run in one kernel\n") !=
        std::string::npos);
}

TEST_CASE("a gradient is a task like others; its cotangent is an input") {
  const TemporaryFolder folder;
  const std::string text =
      "task:\n  name: layer_norm_gradient\n  device: cpu\n  benchmark_iterations: 1\n  inputs:\n"
      "    - {name: x, shape: [4, 8]}\n    - {name: weight, shape: [8]}\n"
      "    - {name: bias, shape: [8]}\n";

  const auto whole =
      run_sinter({"run", folder.write("t.yaml", text + "    - {name: grad_0, shape: [4, 8]}\n")});
  const auto partial = run_sinter({"run", folder.write("u.yaml", text)});

  CHECK_MESSAGE(whole.exit_code == 0, whole.err);
  CHECK(whole.out.find("result    right") != std::string::npos);
  CHECK(partial.exit_code == 2);
  CHECK(partial.err.find("input 'grad_0' of layer_norm_gradient is missing in the task") !=
        std::string::npos);
}

TEST_CASE("rounding each is checked against a reference that rounds each") {
  const TemporaryFolder folder;
  const std::string text =
      "task:\n  name: rms_norm\n  device: cpu\n  dtype: bf16\n  rounding: each\n  inputs:\n"
      "    - {name: x, shape: [64, 300]}\n    - {name: weight, shape: [300]}\n"
      "  benchmark_iterations: 1\n";

  const auto result = run_sinter({"run", folder.write("t.yaml", text)});

  CHECK_MESSAGE(result.exit_code == 0, (result.out + result.err));
}

TEST_CASE("the norms of the library take bf16 with f32 weights, and a claim may name them") {
  const TemporaryFolder folder;
  for (const std::string name : {"rms_norm", "layer_norm", "softmax"}) {
    std::string text = "task:\n  name: " + name +
                       "\n  device: cpu\n  dtype: bf16\n  benchmark_iterations: 1\n"
                       "  fusion: {fused_ops: [" +
                       name +
                       "]}\n  inputs:\n"
                       "    - {name: x, shape: [4, 8]}\n";
    if (name != "softmax") text += "    - {name: weight, shape: [8], dtype: f32}\n";
    if (name == "layer_norm") text += "    - {name: bias, shape: [8], dtype: f32}\n";

    const auto result = run_sinter({"run", folder.write("t.yaml", text)});

    CHECK_MESSAGE(result.exit_code == 0, (result.out + result.err));
    CHECK(result.out.find(name + " run in one kernel") != std::string::npos);
  }
}

TEST_CASE("an input file that is a pipe is refused at once") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() + "/a.npy";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string task = folder.write(
      "t.yaml", "task:\n  name: vector_add\n  inputs:\n    - {name: a, shape: [4], file: " + pipe +
                    "}\n    - {name: b, shape: [4]}\n");

  const auto result = run_sinter({"run", task, "--device", "cpu"});

  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "sinter: input file '" + pipe + "' cannot be read: it is a pipe, not a regular file\n");
}

TEST_CASE("options override the task file") {
  const TemporaryFolder folder;
  const std::string json = folder.path() + "/run.json";

  run_sinter({"run", folder.write("t.yaml", kProjection), "--iterations", "7", "--warmup", "0",
              "--device", "cpu", "--json", json});

  CHECK(read_json(json)["iterations"] == 7);
}

TEST_CASE("a task with a graph text runs without a registered operator") {
  const auto result = run_sinter({"run", "examples/tasks/graph_text.yaml", "--device", "cpu"});

  CHECK_MESSAGE(result.exit_code == 0, result.err);
}

TEST_CASE("an input may be a number, also of a host scalar") {
  const TemporaryFolder folder;
  const std::string head =
      "task:\n  name: scaled\n  device: cpu\n  graph: |\n"
      "    graph scaled(%x: f32[n], %alpha: f32 {host: true}, %beta: f32) {\n"
      "      %0: f32 = mul(%alpha, %beta)\n"
      "      %1: f32[n] = broadcast(%0) {shape: [n]}\n"
      "      %2: f32[n] = mul(%x, %1)\n"
      "      return %2\n"
      "    }\n"
      "  benchmark_iterations: 2\n  inputs:\n    - {name: x, shape: [100]}\n";

  const auto valued =
      run_sinter({"run", folder.write("v.yaml", head + "    - {name: alpha, value: 0.5}\n"
                                                       "    - {name: beta, value: -3}\n")});
  const auto shaped =
      run_sinter({"run", folder.write("s.yaml", head + "    - {name: alpha, shape: []}\n"
                                                       "    - {name: beta, shape: []}\n")});

  CHECK_MESSAGE(valued.exit_code == 0, valued.err);
  CHECK(valued.out.find("result    right") != std::string::npos);
  CHECK_MESSAGE(shaped.exit_code == 0, shaped.err);
}

TEST_CASE(
    "sizes that break a condition of the graph are a usage error; explain shows the condition") {
  const TemporaryFolder folder;
  const auto task = [&](int extent) {
    return folder.write("t.yaml",
                        "task:\n  name: checked\n  device: cpu\n  graph: |\n"
                        "    graph checked(%x: f32[n], %y: f32[m]) {\n"
                        "      %0: f32[m] = broadcast(%x) {shape: [m]}  // op.cpp:3\n"
                        "      %1: f32[m] = add(%0, %y)  // op.cpp:3\n"
                        "      return %1\n"
                        "    }\n"
                        "  benchmark_iterations: 2\n  inputs:\n    - {name: x, shape: [8]}\n"
                        "    - {name: y, shape: [" +
                            std::to_string(extent) + "]}\n");
  };

  CHECK(run_sinter({"run", task(8)}).exit_code == 0);
  const auto refused = run_sinter({"run", task(9)});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err == "sinter: op.cpp:3: checked: add needs n = m; given n = 8, m = 9\n");
  CHECK(run_sinter({"explain", task(8)}).out.find("each call needs n = m\n") != std::string::npos);
}

TEST_CASE("without a GPU, device gpu is an environment error that names the CPU") {
  const TemporaryFolder folder;
  const auto result = run_sinter({"run", folder.write("t.yaml", kProjection), "--device", "gpu"},
                                 {"SINTER_CUDA_DRIVER=none"});

  CHECK(result.exit_code == 6);
  CHECK(result.err.find("sinter: no usable GPU: ") == 0);
  CHECK(result.err.find("--device cpu") != std::string::npos);
}

TEST_CASE("too little memory is an environment error before anything is allocated") {
  const TemporaryFolder folder;
  const std::string task = folder.write(
      "t.yaml",
      "task:\n  name: vector_add\n  inputs:\n    - {name: a, shape: [1000000, 1000000]}\n"
      "    - {name: b, shape: [1000000, 1000000]}\n");

  const auto result = run_sinter({"run", task, "--device", "cpu"});

  CHECK(result.exit_code == 6);
  CHECK(result.err.find("sinter: vector_add needs 24000000.0 MB on cpu; ") == 0);
}

TEST_CASE("a JSON file that cannot be written is an error and leaves nothing behind") {
  const TemporaryFolder folder;
  const auto result = run_sinter(
      {"run", folder.write("t.yaml", kProjection), "--json", folder.path() + "/missing/run.json"});

  CHECK(result.exit_code == 6);
  CHECK(result.out.empty());  // found before anything runs
  CHECK(result.err == "sinter: cannot write '" + folder.path() +
                          "/missing/run.json': No such file or directory\n");
  CHECK(run_sinter({"run", folder.write("t.yaml", kProjection), "--json", folder.path()}).err ==
        "sinter: cannot write '" + folder.path() + "': Is a directory\n");
}

TEST_CASE("an unknown device is a usage error") {
  const auto result = run_sinter({"run", "examples/tasks/graph_text.yaml", "--device", "tpu"});

  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "sinter: device 'tpu'; 'cpu', 'gpu', 'cuda', 'cuda:<index>' or 'best' is needed\n");
}
