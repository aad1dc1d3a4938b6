// `sinter explain TASK`: the plan, the reasons, the classes, the sources. Needs no device.
#include <fmt/format.h>

#include <memory>

#include "ir/text.h"
#include "runtime/device_impl.h"
#include "runtime/pipeline.h"
#include "tools/subcommands.h"
#include "tools/task_operator.h"

namespace sinter::tools {

namespace {

struct ExplainOptions {
  std::string task;
  std::string device;
  std::string arch;
  std::vector<std::string> libraries;
};

ExitCode explain(const ExplainOptions& options) {
  const Task task = open_task(options.task, options.libraries);
  const codegen::Target target =
      options.arch.empty()
          ? Device::parse(options.device.empty() ? task.device : options.device).impl().target()
          : codegen::make_cuda_target(options.arch);
  const CompileOptions compile_options = compile_options_of(task);
  const ir::Graph graph = graph_of(task);
  const ir::Graph normalized = runtime::normalize_for(graph, compile_options);
  const codegen::Plan plan = runtime::plan_for(normalized, target, compile_options);
  // The features of a CPU are a page of their own: last.
  fmt::print("target {} {}\n\n{}\n", codegen::to_string(target.backend), target.arch,
             ir::to_string(graph));
  fmt::print("{}", runtime::explain(plan, graph, normalized, target, {}));
  fmt::print("\ntarget {}\n", codegen::to_string(target));
  return ExitCode::Ok;
}

}  // namespace

Subcommand explain_subcommand() {
  const auto options = std::make_shared<ExplainOptions>();
  return {"explain",
          "Show what fuses, why not, and the generated sources",
          {{"TASK", "A task file (docs/tasks.md)", &options->task, true},
           {"--device", "cpu, gpu, cuda:<index> or best, instead of the task's", &options->device},
           {"--arch", "Generate for this GPU (sm_90a), without having it", &options->arch, false, 0,
            "--device"},
           ops_argument(options->libraries)},
          [options] { return explain(*options); }};
}

}  // namespace sinter::tools
