// The mutants of GPU programs' text have their places in what is generated for sm_90a, and compile.
#include "tests/support/text_mutants.h"

#include <doctest/doctest.h>

#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "codegen/schedule.h"
#include "ir/text.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/pipeline.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {

namespace {

codegen::Program best_program(const std::string& graph_text) {
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const codegen::Plan plan = codegen::make_plan(codegen::normalize(ir::parse_graph(graph_text)),
                                                target, codegen::cuda_schedules());
  const codegen::PlannedKernel& planned = plan.kernels.at(0);
  return runtime::generate_kernel(planned, planned.schedule->classes(planned.kernel).front(),
                                  target, {})
      .program;
}

}  // namespace

TEST_CASE("every mutant has its places in the text for sm_90a") {
  for (const TextMutant& mutant : all_text_mutants()) {
    CAPTURE(mutant.name);
    CHECK(edit_program(best_program(mutant.graph), mutant).has_value());
  }
}

TEST_CASE("mutants compile: a mistake that the compiler sees proves nothing about the check") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const TextMutant& mutant : all_text_mutants()) {
    CAPTURE(mutant.name);
    const auto program = edit_program(best_program(mutant.graph), mutant);
    REQUIRE(program.has_value());
    CHECK_NOTHROW(runtime::compile_to_cubin(program->sources.at(0), "sm_90a"));
  }
}

TEST_CASE("an unknown mutant is an error that names those there are") {
  CHECK_THROWS_WITH_AS(
      find_text_mutant("none"),
      doctest::Contains("there is no mutant 'none', one of 'k-step of 16 dropped'"), UserError);
}

}  // namespace sinter::tests
