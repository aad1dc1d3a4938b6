// One run of a task: compile, load, warm up, execute, collect.
#pragma once

#include "tools/outputs.h"
#include "tools/report.h"
#include "tools/task.h"

namespace sinter::tools {

/// The task's operator compiled for its device, inputs in the operator's order.
struct CompiledTask {
  Executable executable;
  std::vector<TaskInput> inputs;
};
CompiledTask compile_task(const Task& task, const Device& device);

struct TaskResult {
  RunReport report;
  std::vector<TaskOutput> outputs;  // of the last launch, what was checked
};

/// Runs and checks. EnvironmentError where memory is short, before any is taken.
TaskResult run_task(const Task& task, const Device& device);

}  // namespace sinter::tools
