// Every mistake in a task file: one line on standard error, exit code 2, nothing on standard output.
#include <doctest/doctest.h>

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
                 "4:24: shape [9000000000, 9000000000] has more than 2^63 elements"});
  check_mistake({"task:\n  name: x\n  mode: exact\n",
                 "3:9: unknown mode 'exact'; default, strict or fast is needed"});
  check_mistake({"task:\n  name: x\n  dtype: float\n",
                 "3:10: unknown dtype 'float'; one of bool, i8, i16, i32, i64, u8, u16, u32, u64, "
                 "f8e4m3, f8e5m2, f16, bf16, f32, f64 is needed"});
  check_mistake({"task:\n  name: x\n  fusion: {enable: maybe}\n",
                 "3:20: fusion.enable is 'maybe'; true or false is needed"});
}

TEST_CASE("a value is a number of its dtype and excludes a shape") {
  const std::string head = "task:\n  name: x\n  inputs:\n    - {name: a, ";
  check_mistake({(head + "value: 1, shape: [2]}\n").c_str(),
                 "4:7: input 'a' has a value, so it has no shape and no file"});
  check_mistake(
      {(head + "value: half}\n").c_str(), "4:24: value is 'half'; a value of f32 is needed"});
  check_mistake({(head + "value: 0.5, dtype: i32}\n").c_str(),
                 "4:24: value is '0.5'; a value of i32 is needed"});
  check_mistake({(head + "value: 300, dtype: i8}\n").c_str(),
                 "4:24: value is '300'; a value of i8 is needed"});
  check_mistake(
      {(head + "value: 1e6, dtype: f16}\n").c_str(), "4:24: value is '1e6', which is beyond f16"});
  check_mistake({(head + "value: [1]}\n").c_str(),
                 "4:24: value is not a plain value; a value of f32 is needed"});
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
        "sinter: there is no operator 'vector_ad'; did you mean 'vector_add'?\n");
  CHECK(message("task:\n  name: vector_add\n") ==
        "sinter: input 'a' of vector_add is missing in the task\n");
  CHECK(message("task:\n  name: vector_add\n" + kInputs + "    - {name: c, shape: [4]}\n") ==
        "sinter: vector_add has no input 'c'; did you mean 'a'?\n");
  CHECK(message("task:\n  name: vector_add\n  fusion: {fused_ops: [mtamul]}\n" + kInputs) ==
        "sinter: fused_ops: unknown operator 'mtamul'; did you mean 'matmul'?\n");
  CHECK(message("task:\n  name: vector_add\n  fusion: {fused_ops: [matmul]}\n" + kInputs) ==
        "sinter: fused_ops: vector_add has no operator matmul ('matmul')\n");
}

TEST_CASE("a missing task file and a wrong command line are usage errors") {
  CHECK(sinter::tests::run_sinter({"run", "/no/such.yaml"}).err ==
        "sinter: task file '/no/such.yaml' cannot be read\n");
  CHECK(sinter::tests::run_sinter({"run"}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({"rnu"}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({}).exit_code == 2);
  CHECK(sinter::tests::run_sinter({"--help"}).exit_code == 0);
}

TEST_CASE("keys that are no plain names, and folders, are usage errors") {
  check_mistake(
      {"task: {{a: b}: 1}\n", "1:8: a key of task is not a plain value; a name is needed"});
  CHECK(sinter::tests::run_sinter({"run", "/tmp"}).err ==
        "sinter: task file '/tmp' cannot be read\n");
}
