// `sinter check TASK`: proves the operator of a task file with many kinds of inputs (sinter/check.h).
#include "sinter/check.h"

#include <fmt/format.h>

#include <memory>

#include "ir/bind_sizes.h"
#include "runtime/executable_impl.h"
#include "support/check.h"
#include "tools/subcommands.h"
#include "tools/task_operator.h"
#include "tools/task_run.h"

namespace sinter::tools {

namespace {

constexpr std::int64_t kMostRuns = std::int64_t{1} << 20;

struct CheckArguments {
  std::string task;
  std::string device;
  std::vector<std::string> families;
  std::vector<std::string> libraries;
  std::uint64_t seed = 1;
  std::int64_t elements = CheckOptions{}.elements;
  std::int64_t runs = CheckOptions{}.runs;
};

InputFamily parse_family(const std::string& text) {
  std::vector<std::string_view> names;
  for (const InputFamily family : all_input_families()) {
    if (to_string(family) == text) return family;
    names.push_back(to_string(family));
  }
  support::throw_user("--inputs: unknown family '{}'; one of {} is needed", text,
                      fmt::join(names, ", "));
}

ExitCode run(const CheckArguments& arguments) {
  CheckOptions options;
  options.seed = arguments.seed;
  options.elements = arguments.elements;
  options.runs = static_cast<int>(arguments.runs);
  for (const std::string& name : arguments.families) options.families.push_back(parse_family(name));
  const Task task = open_task(arguments.task, arguments.libraries);
  const Device device = Device::parse(arguments.device.empty() ? task.device : arguments.device);
  const CompiledTask compiled = compile_task(task, device);
  std::vector<std::vector<std::int64_t>> extents;
  for (const TaskInput& input : compiled.inputs) extents.push_back(input.shape);
  options.sizes = ir::bind_sizes(compiled.executable.impl().graph(), extents);
  const CheckReport report = check(compiled.executable, options);
  fmt::print("{} on {}, seed {}\n{}", task.name, device.id(), options.seed, to_string(report));
  return report.passed ? ExitCode::Ok : ExitCode::WrongResult;
}

}  // namespace

Subcommand check_subcommand() {
  const auto arguments = std::make_shared<CheckArguments>();
  return {
      "check",
      "Prove a task's operator with many kinds of inputs",
      {{"TASK", "A task file (docs/tasks.md); the values of its inputs are not used",
        &arguments->task, true},
       {"--device", "cpu, gpu, cuda:<index> or best, instead of the task's", &arguments->device},
       {"--inputs", "Family of inputs, instead of all (repeatable)", &arguments->families},
       {"--seed", "Of the inputs", &arguments->seed},
       {"--elements", "Elements of each output that are compared (0: all)", &arguments->elements},
       {"--runs", "Runs whose outputs must have the same bits", &arguments->runs, false, 2, "",
        kMostRuns},
       ops_argument(arguments->libraries)},
      [arguments] { return run(*arguments); }};
}

}  // namespace sinter::tools
