// Errors of an operator's body name the operator's source; here the task's own place is added.
#include "tools/task_operator.h"

#include <algorithm>

#include "ir/text.h"
#include "support/check.h"
#include "support/nearest.h"
#include "tools/subcommands.h"

namespace sinter::tools {

namespace {

std::string types_text(const std::vector<TaskInput>& inputs) {
  std::vector<std::string> texts;
  for (const TaskInput& input : inputs) {
    const ir::Type type{input.dtype, {input.shape.begin(), input.shape.end()}};
    texts.push_back(fmt::format("{}: {}", input.name, ir::to_string(type)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Task open_task(const std::string& path, const std::vector<std::string>& libraries) {
  Task task = read_task(path);
  load_operator_libraries(libraries);
  if (!task.graph.empty()) return task;
  try {
    find_operator(task.name);
  } catch (const UserError& error) {
    if (!libraries.empty()) throw;
    support::throw_user("{} (operators of a library need --ops LIB)", error.what());
  }
  return task;
}

std::vector<TaskInput> order_inputs(const Task& task, const std::vector<std::string>& parameters) {
  std::vector<TaskInput> ordered;
  for (const std::string& parameter : parameters) {
    const auto found =
        std::find_if(task.inputs.begin(), task.inputs.end(),
                     [&](const TaskInput& input) { return input.name == parameter; });
    if (found == task.inputs.end()) {
      std::vector<std::string> given;
      for (const TaskInput& input : task.inputs) given.push_back(input.name);
      support::throw_user("input '{}' of {} is missing in the task{}", parameter, task.name,
                          support::did_you_mean(parameter, given));
    }
    ordered.push_back(*found);
  }
  for (const TaskInput& input : task.inputs) {
    if (std::find(parameters.begin(), parameters.end(), input.name) == parameters.end()) {
      support::throw_user("{} has no input '{}'{}", task.name, input.name,
                          support::did_you_mean(input.name, parameters));
    }
  }
  return ordered;
}

std::vector<TensorSpec> specs_of(const std::vector<TaskInput>& inputs) {
  std::vector<TensorSpec> specs;
  for (const TaskInput& input : inputs) {
    specs.push_back({input.dtype, {input.shape.begin(), input.shape.end()}});
  }
  return specs;
}

namespace {

/// Those that the operator names; what it derives from them is in its graph (compile_task).
std::vector<TaskInput> inputs_of(const Task& task, const Operator& op) {
  if (!op.derive) return order_inputs(task, op.parameters);
  Task named = task;
  std::erase_if(named.inputs, [&](const TaskInput& input) {
    return std::find(op.parameters.begin(), op.parameters.end(), input.name) == op.parameters.end();
  });
  return order_inputs(named, op.parameters);
}

}  // namespace

ir::Graph graph_of(const Task& task) {
  if (!task.graph.empty()) return ir::parse_graph(task.graph, task.path + ": graph");
  const Operator& op = find_operator(task.name);
  const std::vector<TaskInput> inputs = inputs_of(task, op);
  try {
    return op.trace(specs_of(inputs));
  } catch (const UserError& error) {
    support::throw_user("{}: {} does not take ({}): {}", task.inputs_place, task.name,
                        types_text(inputs), error.what());
  }
}

CompileOptions compile_options_of(const Task& task) {
  CompileOptions options;
  options.fuse = task.fuse;
  options.mode = task.mode;
  options.rounding = task.rounding;
  return options;
}

}  // namespace sinter::tools
