// One run of a task: compile, load, warm up, execute, collect.
#pragma once

#include "tools/report.h"
#include "tools/task.h"

namespace sinter::tools {

/// The task's operator compiled for its device, inputs in the operator's order.
struct CompiledTask {
  Executable executable;
  std::vector<TaskInput> inputs;
};
CompiledTask compile_task(const Task& task, const Device& device);

/// Runs and checks. EnvironmentError where memory is short, before any is taken.
RunReport run_task(const Task& task, const Device& device);

}  // namespace sinter::tools
