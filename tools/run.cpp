// `sinter run TASK`: runs a task file, checks the result against the reference, prints figures.
#include <fmt/format.h>

#include <charconv>
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

// A whole number of at least `least`.
std::function<std::string(const std::string&)> at_least(std::int64_t least) {
  return [least](const std::string& text) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = code == std::errc() && end == text.data() + text.size();
    if (is_whole && value >= least) return std::string();
    return fmt::format("'{}' is given, a whole number of at least {} is needed", text, least);
  };
}

ExitCode run(const RunOptions& options) {
  Task task = read_task(options.task);
  load_operator_libraries(options.libraries);
  if (options.iterations > 0) task.benchmark_iterations = options.iterations;
  if (options.warmup >= 0) task.warmup_iterations = options.warmup;
  const Device device = Device::parse(options.device.empty() ? task.device : options.device);
  const RunReport report = run_task(task, device);
  fmt::print("{}", to_text(report));
  if (!options.json.empty()) write_file(options.json, to_json(report));
  return report.is_right ? ExitCode::Ok : ExitCode::WrongResult;
}

}  // namespace

std::function<ExitCode()> add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run a task file and check its result");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("task", options->task, "Task file (docs/tasks.md)")->required();
  command->add_option("--device", options->device,
                      "cpu, gpu, cuda:<index> or best, instead of the task's");
  command->add_option("--iterations", options->iterations, "Timed launches")->check(at_least(1));
  command->add_option("--warmup", options->warmup, "Launches before timing")->check(at_least(0));
  command->add_option("--json", options->json, "Also write the figures to this file");
  add_ops_option(*command, options->libraries);
  return [options] { return run(*options); };
}

}  // namespace sinter::tools
