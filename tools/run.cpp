// `sinter run TASK`: runs a task file, checks the result against the reference, prints figures.
#include <fmt/format.h>

#include <memory>

#include "tools/subcommands.h"
#include "tools/task_run.h"

namespace sinter::tools {

namespace {

struct RunOptions {
  std::string task;
  std::string device;
  std::string json;
  std::vector<std::string> libraries;
  std::int64_t iterations = 0;
  std::int64_t warmup = -1;
};

ExitCode run(const RunOptions& options) {
  Task task = read_task(options.task);
  load_operator_libraries(options.libraries);
  if (options.iterations > 0) task.benchmark_iterations = options.iterations;
  if (options.warmup >= 0) task.warmup_iterations = options.warmup;
  const Device device = Device::parse(options.device.empty() ? task.device : options.device);
  const RunReport report = run_task(task, device);
  fmt::print("{}", to_text(report));
  if (!options.json.empty()) write_file(options.json, to_json(report));
  const bool is_good = report.is_right && !report.share.is_implausible;
  return is_good ? ExitCode::Ok : ExitCode::WrongResult;
}

}  // namespace

Subcommand run_subcommand() {
  const auto options = std::make_shared<RunOptions>();
  return {"run",
          "Run a task file and check its result",
          {{"task", "Task file (docs/tasks.md)", &options->task, true},
           {"--device", "cpu, gpu, cuda:<index> or best, instead of the task's", &options->device},
           {"--iterations", "Timed launches", &options->iterations, false, 1},
           {"--warmup", "Launches before timing", &options->warmup},
           {"--json", "Also write the figures to this file", &options->json},
           ops_argument(options->libraries)},
          [options] { return run(*options); }};
}

}  // namespace sinter::tools
