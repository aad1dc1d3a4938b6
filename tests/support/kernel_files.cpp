// Finding and reading the kernels.
#include "tests/support/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/cuda/nvrtc.h"
#include "support/check.h"

namespace sinter::tests {
namespace {

const std::filesystem::path kFolders[] = {"tests/cuda/kernels", "tests/ir/kernels"};

}  // namespace

std::vector<std::string> cuda_kernel_names() {
  std::set<std::string> names;
  for (const auto& folder : kFolders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".kernel") names.insert(entry.path().stem());
    }
  }
  return {names.begin(), names.end()};
}

ir::Kernel read_kernel(const std::string& name) {
  for (const auto& folder : kFolders) {
    const auto path = folder / (name + ".kernel");
    std::ifstream file(path);
    if (!file) continue;
    std::stringstream text;
    text << file.rdbuf();
    ir::Kernel kernel = ir::parse_kernel(text.str(), path.string());
    ir::verify_kernel(kernel);
    return kernel;
  }
  support::throw_internal("there is no kernel file {}", name);
}

const codegen::Schedule& cuda_schedule(const std::string& name) {
  for (const codegen::Schedule& schedule : codegen::cuda_schedules()) {
    if (schedule.name == name) return schedule;
  }
  support::throw_internal("there is no CUDA schedule {}", name);
}

ir::Kernel fused_kernel(const std::string& graph_text) {
  const ir::Graph graph = codegen::normalize(ir::parse_graph(graph_text));
  codegen::Plan plan =
      codegen::make_plan(graph, codegen::make_cuda_target("sm_90a"), codegen::cuda_schedules());
  support::check(plan.kernels.size() == 1, "{} kernels instead of one of {}", plan.kernels.size(),
                 graph_text);
  return std::move(plan.kernels[0].kernel);
}

std::string why_no_nvrtc() {
  try {
    runtime::nvrtc_toolchain();
    return "";
  } catch (const EnvironmentError& error) {
    return error.what();
  }
}

std::vector<std::string> test_architectures() {
  const std::vector<int> known = runtime::nvrtc_architectures();
  std::vector<std::string> archs;
  for (const auto& [number, name] : {std::pair{80, "sm_80"}, {90, "sm_90a"}, {100, "sm_100a"}}) {
    if (std::find(known.begin(), known.end(), number) != known.end()) archs.emplace_back(name);
  }
  return archs;
}

}  // namespace sinter::tests
