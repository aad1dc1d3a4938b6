// What a task runs: its operator with the types of its inputs.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"
#include "tools/task.h"

namespace sinter::tools {

/// The task file read and the libraries loaded. UserError where the file is wrong, or its operator is not
/// registered.
Task open_task(const std::string& path, const std::vector<std::string>& libraries);

/// The task's inputs in the order of `parameters`. UserError for one that is missing or unknown.
std::vector<TaskInput> order_inputs(const Task& task, const std::vector<std::string>& parameters);

/// dtypes and shapes, one an input.
std::vector<TensorSpec> specs_of(const std::vector<TaskInput>& inputs);

/// The graph text parsed, or the registered operator traced. UserError names the task file, and the
/// place of the inputs where the operator does not take them.
ir::Graph graph_of(const Task& task);

CompileOptions compile_options_of(const Task& task);

}  // namespace sinter::tools
