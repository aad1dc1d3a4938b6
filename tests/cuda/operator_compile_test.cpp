// Every composite and reduction as CUDA: it compiles, and nothing spills or lies in local memory.
#include <doctest/doctest.h>

#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "codegen/schedule.h"
#include "ir/text.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/operator_graphs.h"
#include "tests/support/skip.h"

namespace sinter::tests {

TEST_CASE("every operator of ops.def compiles for a GPU without local memory") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const std::string arch = test_architectures().back();
  const codegen::Target target = codegen::make_cuda_target(arch);
  for (const ir::Graph& graph : make_operator_graphs()) {
    const DType dtype = graph.type({graph.parameters()[0], 0}).dtype;
    if (dtype != DType::BF16 && dtype != DType::I32) continue;
    CAPTURE(ir::to_string(graph));
    const ir::Graph normalized = codegen::normalize(graph);
    const codegen::Plan plan = codegen::make_plan(normalized, target, codegen::cuda_schedules());
    for (const codegen::PlannedKernel& planned : plan.kernels) {
      const codegen::Schedule& schedule = *planned.schedule;
      const ir::Facts facts = schedule.classes(planned.kernel).front();
      const auto candidates = schedule.candidates(planned.kernel, facts, target, {});
      REQUIRE(!candidates.empty());
      check_config_compiles(schedule, planned.kernel, facts, candidates[0].config, arch);
    }
  }
}

}  // namespace sinter::tests
