// Task files: what to run, on what, how often. docs/tasks.md describes the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/literal.h"
#include "sinter/compile.h"

namespace sinter::tools {

struct TaskInput {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::string file;                  // .npy; empty: generated
  std::optional<ir::Literal> value;  // of a scalar: shape is empty
};

struct Task {
  std::string name;   // of a registered operator, unless `graph` is there
  std::string graph;  // an operator in text form, or empty
  std::string device = "best";
  std::vector<TaskInput> inputs;
  bool fuse = true;
  std::vector<std::string> fused_ops;  // claim: these ended in one kernel
  std::int64_t warmup_iterations = 10;
  std::int64_t benchmark_iterations = 100;
  std::uint64_t seed = 1;
  Mode mode = Mode::Default;
  Rounding rounding = Rounding::Outputs;
  std::string path;          // of the task file
  std::string inputs_place;  // "FILE:LINE:COLUMN" of its inputs, for errors
};

/// Reads a task file. UserError "FILE:LINE:COLUMN: ..." for syntax errors, unknown keys (with the
/// nearest known one), wrong types, shapes and dtypes, and for what is no regular file or larger
/// than 16 MiB; EnvironmentError never.
Task read_task(const std::string& path);

}  // namespace sinter::tools
