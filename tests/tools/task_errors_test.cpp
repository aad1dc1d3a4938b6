// Every mistake in a task file: one line on standard error, exit code 2, nothing on standard output.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/support/run_program.h"

namespace {

struct Mistake {
  const char* text;
  const char* message;  // after "FILE:"
};

const std::string kInputs = "  inputs:\n    - {name: a, shape: [4]}\n    - {name: b, shape: [4]}\n";

void check_mistake(const Mistake& mistake) {
  const sinter::tests::TemporaryFolder folder;
  const std::string task = folder.write("task.yaml", mistake.text);

  const auto result = sinter::tests::run_sinter({"run", task, "--device", "cpu"});

  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err == "sinter: " + task + ":" + mistake.message + "\n");
}

}  // namespace

TEST_CASE("mistakes in the keys of a task file name line and column") {
  check_mistake(
      {"tusk:\n  name: vector_add\n", "1:1: unknown key 'tusk' in the file; did you mean 'task'?"});
  check_mistake(
      {"task:\n  nmae: vector_add\n", "2:3: unknown key 'nmae' in task; did you mean 'name'?"});
  check_mistake({"task:\n  device: cpu\n", "2:3: the task has no name"});
  check_mistake(
      {"task:\n  name: vector_add\n  inputs:\n    - {name: a}\n", "4:7: input 'a' has no shape"});
  check_mistake(
      {"task:\n  name: vector_add\n  inputs:\n    - {shape: [4]}\n", "4:7: an input has no name"});
  check_mistake({"task:\n  name: x\n  fusion: {enabled: true}\n",
                 "3:12: unknown key 'enabled' in fusion; did you mean 'enable'?"});
  check_mistake({"task:\n  name: x\n  name: y\n", "3:3: key 'name' stands twice in task"});
}

TEST_CASE("mistakes in the values of a task file say what is needed") {
  check_mistake({"task:\n  name: x\n  warmup_iterations: -1\n",
                 "3:22: warmup_iterations is -1; at least 0 is needed"});
  check_mistake({"task:\n  name: x\n  benchmark_iterations: many\n",
                 "3:25: benchmark_iterations is 'many'; a whole number is needed"});
  check_mistake({"task:\n  name: x\n  inputs:\n    - {name: a, shape: [4, -2]}\n",
                 "4:28: an extent of shape is -2; at least 0 is needed"});
  check_mistake({"task:\n  name: x\n  inputs:\n    - {name: a, shape: 4}\n",
                 "4:24: shape is not a list of whole numbers"});
  check_mistake({"task:\n  name: x\n  inputs:\n    - {name: a, shape: [9000000000, 9000000000]}\n",
                 "4:24: the extents of shape [9000000000, 9000000000] multiply to more than "
                 "2^60 (0 counts as 1)"});
  check_mistake({"task:\n  name: x\n  rounding: up\n",
                 "3:13: unknown rounding 'up'; outputs or each is needed"});
  check_mistake({"task:\n  name: ''\n", "2:9: name is empty; a name is needed"});
  check_mistake({"task:\n  name: \"a\\0b\"\n",
                 "2:9: name is 'a\\x00b', with a control character; a name is needed"});
  check_mistake({"task:\n  name: x\n  mode: exact\n",
                 "3:9: unknown mode 'exact'; default, strict or fast is needed"});
  check_mistake({"task:\n  name: x\n  dtype: float\n",
                 "3:10: unknown dtype 'float'; one of bool, i8, i16, i32, i64, u8, u16, u32, u64, "
                 "f8e4m3, f8e5m2, f16, bf16, f32, f64 is needed"});
  check_mistake(
      {"task:\n  name: x\n  dtype: bf61\n", "3:10: unknown dtype 'bf61'; did you mean 'bf16'?"});
  check_mistake({"task:\n  name: x\n  fusion: {enable: maybe}\n",
                 "3:20: fusion.enable is 'maybe'; true or false is needed"});
}

TEST_CASE("YAML that is broken, deep, repeated or endless is one clear error") {
  const std::string deep(100000, '[');
  check_mistake({("task: " + deep).c_str(), "1:1: the text nests deeper than 500"});
  std::string maps = "task:\n  name: ";
  for (int level = 0; level < 3000; ++level) maps += "{a: ";
  check_mistake({maps.c_str(), "2:1996: the text nests deeper than 500"});
  check_mistake({"task: {name: x}\ntask: {name: y}\n", "2:1: key 'task' stands twice in the file"});
  check_mistake({"task: {name: x}\n---\n{}\n", "3:1: the file has 2 documents; one is needed"});
  check_mistake({"task: &a\n  name: *a\n", "1:7: name is not a plain value; a name is needed"});
  check_mistake({"task: *b\n", "1:7: the referenced anchor is not defined"});
  check_mistake({"", " the file is empty; a map with the key 'task' is needed"});
  check_mistake({"# nothing\n", " a map with the key 'task' is needed"});
  check_mistake({"[1, 2]\n", "1:1: a map with the key 'task' is needed"});
  check_mistake({"task:\n  name: [x\n", "3:1: end of sequence flow not found"});

  std::string bomb = "task:\n  name: x\n  inputs:\n    - name: a\n      shape:\n";
  bomb += "        - &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "        - &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 8; ++j) bomb += ", " + before;
    bomb += "]\n";
  }
  check_mistake(
      {bomb.c_str(), "6:11: an extent of shape is not a plain value; a whole number is needed"});
}

TEST_CASE("a task file that is a pipe, a folder or too large is refused at once") {
  const sinter::tests::TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe.yaml";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string large = folder.write("large.yaml", std::string((16 << 20) + 1, '#'));
  const auto message = [](const std::string& path) {
    const auto result = sinter::tests::run_sinter({"explain", path});
    CHECK(result.exit_code == 2);
    return result.err;
  };

  CHECK(message(pipe) ==
        "sinter: task file '" + pipe + "' cannot be read: it is a pipe, not a regular file\n");
  CHECK(message(folder.path()) == "sinter: task file '" + folder.path() +
                                      "' cannot be read: it is a folder, not a regular file\n");
  CHECK(message(large) ==
        "sinter: task file '" + large + "' has 16777217 bytes; at most 16777216 are read\n");
  CHECK(message("/no/t.yaml") ==
        "sinter: task file '/no/t.yaml' cannot be read: No such file or directory\n");
}

TEST_CASE("an operator that does not take its inputs names the task's line and its own") {
  const sinter::tests::TemporaryFolder folder;
  const std::string task =
      folder.write("t.yaml", "task:\n  name: softmax\n  inputs:\n    - {name: x, shape: []}\n");

  for (const char* command : {"run", "explain"}) {
    const auto result = sinter::tests::run_sinter({command, task, "--device", "cpu"});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "sinter: " + task +
                            ":4:5: softmax does not take (x: f32): tools/builtin_ops.cpp:19: axis "
                            "-1 of a tensor of rank 0, which has no axes\n");
  }
}

TEST_CASE("a mistake in a graph text names the task file and shows the whole character") {
  check_mistake({"task:\n  name: g\n  graph: |\n    graph g(%\u00e9: f32[4]) {}\n",
                 " graph:1:10: found '\u00e9', which starts no word, number or symbol"});
  check_mistake(
      {"task:\n  name: g\n  graph: |\n    graph g(%x: f32) {\n"
       "      %0: f32 = sum(%x) {axes: [0]}\n      return %0\n    }\n",
       " graph:2:13: sum of f32 has no axis 0: rank 0 has no axes"});
}

TEST_CASE("shapes whose extents overflow are refused, also beside an extent of 0") {
  const sinter::tests::TemporaryFolder folder;
  const auto message = [&](const std::string& extents) {
    const std::string shape = ", shape: [" + extents + "]}\n";
    const std::string task =
        folder.write("t.yaml", "task:\n  name: vector_add\n  inputs:\n    - {name: a" + shape +
                                   "    - {name: b" + shape);
    const auto result = sinter::tests::run_sinter({"run", task, "--device", "cpu"});
    CHECK(result.exit_code == 2);
    return result.err.substr(
        result.err.find(".yaml") == std::string::npos ? 0 : result.err.find(".yaml"));
  };

  CHECK(
      message("0, 4611686018427387904, 4611686018427387904") ==
      ".yaml:4:24: the extents of shape [0, 4611686018427387904, 4611686018427387904] multiply to "
      "more than 2^60 (0 counts as 1)\n");
  CHECK(message("0, 4611686018427387904") ==
        ".yaml:4:24: the extents of shape [0, 4611686018427387904] multiply to more than 2^60 (0 "
        "counts as 1)\n");
}

TEST_CASE("a value is a number of its dtype and excludes a shape") {
  const std::string head = "task:\n  name: x\n  inputs:\n    - {name: a, ";
  check_mistake({(head + "value: 1, shape: [2]}\n").c_str(),
                 "4:7: input 'a' has a value, so it has no shape and no file"});
  check_mistake(
      {(head + "value: half}\n").c_str(),
       "4:24: value is 'half'; a number, .inf, -.inf or .nan, a value of f32, is needed"});
  check_mistake(
      {(head + "value: 0.5, dtype: i32}\n").c_str(),
       "4:24: value is '0.5'; a whole number from -2147483648 to 2147483647, a value of i32, is "
       "needed"});
  check_mistake(
      {(head + "value: 300, dtype: i8}\n").c_str(),
       "4:24: value is '300'; a whole number from -128 to 127, a value of i8, is needed"});
  check_mistake({(head + "value: nan}\n").c_str(),
                 "4:24: value is 'nan'; a number, .inf, -.inf or .nan, a value of f32, is needed"});
  check_mistake(
      {(head + "value: -inf}\n").c_str(),
       "4:24: value is '-inf'; a number, .inf, -.inf or .nan, a value of f32, is needed"});
  check_mistake({(head + "value: -1, dtype: u64}\n").c_str(),
                 "4:24: value is '-1'; a whole number from 0 to 18446744073709551615, a value of "
                 "u64, is needed"});
  check_mistake({(head + "value: 1, dtype: bool}\n").c_str(),
                 "4:24: value is '1'; true or false, a value of bool, is needed"});
  check_mistake(
      {(head + "value: 1e6, dtype: f16}\n").c_str(), "4:24: value is '1e6', which is beyond f16"});
  check_mistake({(head + "value: [1]}\n").c_str(),
                 "4:24: value is not a plain value; a number, .inf, -.inf or .nan, a value of f32, "
                 "is needed"});
}

TEST_CASE("a task that does not fit its operator says how") {
  const sinter::tests::TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    const auto result =
        sinter::tests::run_sinter({"run", folder.write("t.yaml", text), "--device", "cpu"});
    CHECK(result.exit_code == 2);
    return result.err;
  };

  CHECK(message("task:\n  name: vector_ad\n" + kInputs) ==
        "sinter: there is no operator 'vector_ad'; did you mean 'vector_add'? (operators of a "
        "library need "
        "--ops LIB)\n");
  CHECK(message("task:\n  name: vector_add\n") ==
        "sinter: input 'a' of vector_add is missing in the task\n");
  CHECK(message("task:\n  name: vector_add\n" + kInputs + "    - {name: c, shape: [4]}\n") ==
        "sinter: vector_add has no input 'c'; did you mean 'a'?\n");
  CHECK(message("task:\n  name: vector_add\n  fusion: {fused_ops: [mtamul]}\n" + kInputs) ==
        "sinter: fused_ops: unknown operator 'mtamul'; did you mean 'matmul'?\n");
  CHECK(message("task:\n  name: vector_add\n  fusion: {fused_ops: [matmul]}\n" + kInputs) ==
        "sinter: fused_ops: vector_add has no operator matmul; it has add\n");
  CHECK(message("task:\n  name: vector_add\n  fusion: {fused_ops: [linear]}\n" + kInputs) ==
        "sinter: fused_ops: vector_add has no operator matmul (linear); it has add\n");
}

TEST_CASE("seeds are whole numbers of 64 bits") {
  const sinter::tests::TemporaryFolder folder;
  const std::string head = "task:\n  name: vector_add\n  device: cpu\n  benchmark_iterations: 1\n";

  CHECK(sinter::tests::run_sinter(
            {"run", folder.write("t.yaml", head + "  seed: 18446744073709551615\n" + kInputs)})
            .exit_code == 0);
  check_mistake(
      {(head + "  seed: 18446744073709551616\n" + kInputs).c_str(),
       "5:9: seed is '18446744073709551616'; a whole number from 0 to 2^64 - 1 is needed"});
  check_mistake({(head + "  seed: -1\n" + kInputs).c_str(),
                 "5:9: seed is '-1'; a whole number from 0 to 2^64 - 1 is needed"});
}

TEST_CASE("a missing task file and a wrong command line are usage errors") {
  CHECK(sinter::tests::run_sinter({"run"}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({"rnu"}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({"--help"}).exit_code == 0);
}

TEST_CASE("keys that are no plain names are usage errors") {
  check_mistake(
      {"task: {{a: b}: 1}\n", "1:8: a key of task is not a plain value; a name is needed"});
}
