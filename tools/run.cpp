// `sinter run TASK`: runs a task file, checks the result against the reference, prints figures.
#include <fmt/format.h>

#include <memory>

#include "tools/subcommands.h"
#include "tools/task_operator.h"
#include "tools/task_run.h"
#include "tools/write_file.h"

namespace sinter::tools {

namespace {

struct RunOptions {
  std::string task;
  std::string device;
  std::string json;
  std::string folder;
  std::vector<std::string> libraries;
  std::int64_t iterations = 0;
  std::int64_t warmup = -1;
  std::int64_t printed = 0;  // elements of each output
};

ExitCode run(const RunOptions& options) {
  Task task = open_task(options.task, options.libraries);
  if (options.iterations > 0) task.benchmark_iterations = options.iterations;
  if (options.warmup >= 0) task.warmup_iterations = options.warmup;
  const Device device = Device::parse(options.device.empty() ? task.device : options.device);
  if (!options.json.empty()) check_writable(options.json);
  if (!options.folder.empty()) make_output_folder(options.folder);
  const auto [report, outputs] = run_task(task, device);
  fmt::print("{}", to_text(report));
  if (options.printed > 0) fmt::print("{}", to_text(outputs, options.printed));
  if (!options.json.empty()) write_file(options.json, {to_json(report)});
  if (!options.folder.empty()) save_outputs(outputs, options.folder);
  const bool is_good = report.is_right && !report.share.is_implausible;
  return is_good ? ExitCode::Ok : ExitCode::WrongResult;
}

}  // namespace

Subcommand run_subcommand() {
  const auto options = std::make_shared<RunOptions>();
  return {
      "run",
      "Run a task file and check its result",
      {{"TASK", "A task file (docs/tasks.md)", &options->task, true},
       {"--device", "cpu, gpu, cuda:<index> or best, instead of the task's", &options->device},
       {"--iterations", "Timed launches", &options->iterations, false, 1},
       {"--warmup", "Launches before timing", &options->warmup},
       {"--json", "Also write the figures to this file", &options->json},
       {"--print", "Print so many elements of each output, the first ones", &options->printed,
        false, 1},
       {"--save", "Write each output to <folder>/output_<i>.npy, the folder being made if needed",
        &options->folder},
       ops_argument(options->libraries)},
      [options] { return run(*options); }};
}

}  // namespace sinter::tools
