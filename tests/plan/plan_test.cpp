// What fuses with what, under schedules whose rules are plain to see.
#include <doctest/doctest.h>

#include <set>

#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/plan/fake_schedules.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

using codegen::Plan;
using codegen::Schedule;

const std::string kSoftmax = R"((%x: f32[m, n]) {
  %0: f32[m] = max(%x) {axes: [1]}
  %1: f32[m, 1] = reshape(%0) {shape: [m, 1]}
  %2: f32[m, n] = broadcast(%1) {shape: [m, n]}
  %3: f32[m, n] = sub(%x, %2)
  %4: f32[m, n] = exp(%3)
  %5: f32[m] = sum(%4) {axes: [1]}
  %6: f32[m, 1] = reshape(%5) {shape: [m, 1]}
  %7: f32[m, n] = broadcast(%6) {shape: [m, n]}
  %8: f32[m, n] = div(%4, %7)
  return %8
})";

Plan plan_of(const std::string& text, std::span<const Schedule> schedules, bool fuse = true) {
  codegen::PlanOptions options;
  options.fuse = fuse;
  const ir::Graph graph = graph_of(text);
  Plan plan = codegen::make_plan(graph, codegen::make_cpu_target(), schedules, options);
  INFO(codegen::to_string(plan, graph));
  for (const codegen::PlannedKernel& planned : plan.kernels) ir::verify_kernel(planned.kernel);
  return plan;
}

/// "x, y -> out0; out0 -> out1": inputs and outputs of each kernel.
std::string flow_of(const Plan& plan) {
  std::string text;
  for (const codegen::PlannedKernel& planned : plan.kernels) {
    std::string inputs;
    std::string outputs;
    for (const ir::KernelParam& param : planned.kernel.params()) {
      std::string& list = param.role == ir::ParamRole::In ? inputs : outputs;
      list += (list.empty() ? "" : ", ") + param.name;
    }
    text += (text.empty() ? "" : "; ") + inputs + " -> " + outputs;
  }
  return text;
}

}  // namespace

TEST_CASE("a projection and its residual are one kernel") {
  const Plan plan = plan_of(R"((%x: f32[m, k], %w: f32[k, n], %r: f32[m, n]) {
  %0: f32[m, n] = matmul(%x, %w)
  %1: f32[m, n] = add(%0, %r)
  return %1
})",
                            generic_only());

  CHECK(flow_of(plan) == "x, w, r -> out0");
  CHECK(plan.kernels[0].kernel.name() == "g_0");
  CHECK(plan.kernels[0].nodes.size() == 2);
  CHECK(plan.boundaries.empty());
  CHECK(plan.intermediates.empty());
}

TEST_CASE("a softmax is three kernels where folds cannot be used over wider axes") {
  const Plan plan = plan_of(kSoftmax, generic_only());

  CHECK(flow_of(plan) == "x -> tmp0; x, tmp0 -> tmp1; x, tmp0, tmp1 -> out0");
  REQUIRE(plan.boundaries.size() == 3);
  CHECK(plan.boundaries[0].reasons.front() == "generic: 2 folds in one kernel");
  CHECK(plan.boundaries[2].reasons.back() ==
        "generic: the result of the fold is used over wider axes");
  CHECK(ir::to_string(plan.boundaries[0].bytes) == "8*m");
}

TEST_CASE("a boundary has the reason of every attempt, each once") {
  const Plan plan = plan_of(kSoftmax, generic_only());

  for (const codegen::Boundary& boundary : plan.boundaries) {
    CHECK(std::set<std::string>(boundary.reasons.begin(), boundary.reasons.end()).size() ==
          boundary.reasons.size());
  }
  CHECK(plan.boundaries[1].reasons.size() > 1);
}

TEST_CASE("a softmax is one kernel where a schedule takes it whole") {
  const Plan plan = plan_of(kSoftmax, rows_and_generic());

  CHECK(flow_of(plan) == "x -> out0");
  CHECK(plan.kernels[0].schedule->name == "rows");
}

TEST_CASE("without fusion every operator that is no view is a kernel") {
  const Plan plan = plan_of(kSoftmax, generic_only(), false);

  CHECK(flow_of(plan) ==
        "x -> tmp0; x, tmp0 -> tmp1; tmp1 -> tmp2; tmp2 -> tmp3; tmp2, tmp3 -> out0");
  CHECK(plan.boundaries[0].reasons.front() == "fusion is off");
}

TEST_CASE("elementwise operators end a product rather than begin the next") {
  const Plan plan = plan_of(R"((%x: f32[m, k], %v: f32[k, h], %w: f32[h, n]) {
  %0: f32[m, h] = matmul(%x, %v)
  %1: f32[m, h] = tanh(%0)
  %2: f32[m, n] = matmul(%1, %w)
  return %2
})",
                            generic_only());

  CHECK(flow_of(plan) == "x, v -> tmp0; w, tmp0 -> out0");
  CHECK(plan.kernels[0].nodes.size() == 2);
  REQUIRE(plan.boundaries.size() == 1);
  CHECK(plan.boundaries[0].reasons.front() == "generic: 2 folds in one kernel");
  CHECK(ir::to_string(plan.boundaries[0].bytes) == "8*h*m");
}

TEST_CASE("even where what follows the next product is taken in whole") {
  const Plan plan = plan_of(R"((%x: f32[m, k], %v: f32[k, h], %w: f32[h, n], %r: f32[m, n]) {
  %0: f32[m, h] = matmul(%x, %v)
  %1: f32[m, h] = tanh(%0)
  %2: f32[m, n] = matmul(%1, %w)
  %3: f32[m, n] = add(%2, %r)
  return %3
})",
                            generic_only());

  CHECK(flow_of(plan) == "x, v -> tmp0; w, r, tmp0 -> out0");
  CHECK(plan.kernels[0].nodes.size() == 2);
}

TEST_CASE("outputs of one shape that read the same are one kernel") {
  const std::string text = R"((%x: f32[n]) {
  %0: f32[n] = exp(%x)
  %1: f32[n] = neg(%0)
  %2: f32[n] = abs(%x)
  return %0, %1, %2
})";

  CHECK(flow_of(plan_of(text, generic_only())) == "x -> out0, out1, out2");
  CHECK(flow_of(plan_of(text, dear_outputs())) == "x -> out0; out0 -> out1; x -> out2");
}

TEST_CASE("a merge that is not worth its time is refused with the times") {
  const Plan plan = plan_of(R"((%x: f32[n]) {
  %0: f32[n] = exp(%x)
  %1: f32[n] = neg(%0)
  return %0, %1
})",
                            dear_outputs());

  REQUIRE(plan.boundaries.size() == 1);
  CHECK(plan.boundaries[0].reasons.front() == "slower as one: 1001.01 us, apart 2.02 us");
  CHECK(ir::to_string(plan.boundaries[0].bytes) == "4*n");
}

TEST_CASE("outputs that are parameters, views, constants and repetitions are stored") {
  const Plan plan = plan_of(R"((%x: f32[m, n]) {
  %0: f32[n, m] = permute(%x) {axes: [1, 0]}
  %1: f32 = constant() {value: 2.0: f32}
  return %x, %0, %1, %0
})",
                            generic_only());

  CHECK(plan.outputs == std::vector<std::string>{"out0", "out1", "out2", "out3"});
  CHECK(flow_of(plan) == "x -> out0; x -> out1, out3;  -> out2");
  CHECK(plan.kernels[0].nodes.empty());
}

TEST_CASE("names of users' parameters are never given to other tensors") {
  const Plan plan = plan_of(R"((%out0: f32[n], %tmp0: f32[n]) {
  %0: f32[n] = add(%out0, %tmp0)
  %1: f32 = sum(%0) {axes: [0]}
  %2: f32[n] = broadcast(%1) {shape: [n]}
  %3: f32[n] = mul(%2, %0)
  return %3
})",
                            generic_only());

  CHECK(flow_of(plan) == "out0, tmp0 -> tmp1; out0, tmp0, tmp1 -> out0_");
  CHECK(plan.outputs[0] == "out0_");
}

TEST_CASE("a cast that only widens is never stored") {
  const Plan plan = plan_of(R"((%x: bf16[m, k], %w: bf16[k, n]) {
  %0: f32[m, k] = cast(%x) {dtype: f32}
  %1: f32[m, k] = exp(%0)
  %2: bf16[m, k] = cast(%1) {dtype: bf16}
  %3: f32[m, k] = cast(%2) {dtype: f32}
  %4: f32[k, n] = cast(%w) {dtype: f32}
  %5: f32[m, n] = matmul(%3, %4)
  return %5, %2
})",
                            generic_only(), false);

  for (const codegen::PlannedTensor& tensor : plan.intermediates)
    CHECK(tensor.type.shape.size() == 2);
  CHECK(flow_of(plan) == "x -> tmp0; tmp0 -> out1; w, out1 -> out0");
}

TEST_CASE("kernels never wait for each other in a circle") {
  // %0 and %2 have one shape and read x, but %1 has to run between them.
  const Plan plan = plan_of(R"((%x: f32[m, n], %w: f32[n, n]) {
  %0: f32[m, n] = exp(%x)
  %1: f32[m, n] = matmul(%0, %w)
  %2: f32[m] = sum(%1) {axes: [1]}
  %3: f32[m, 1] = reshape(%2) {shape: [m, 1]}
  %4: f32[m, n] = broadcast(%3) {shape: [m, n]}
  %5: f32[m, n] = mul(%0, %4)
  return %0, %5
})",
                            generic_only());

  CHECK(plan.kernels.size() == 3);
}

TEST_CASE("the report names kernels, boundaries and reasons") {
  const ir::Graph graph = graph_of(R"((%x: f32[m, k], %v: f32[k, h], %w: f32[h, n]) {
  %0: f32[m, h] = matmul(%x, %v)  // mlp.cpp:3
  %1: f32[m, n] = matmul(%0, %w)  // mlp.cpp:4
  return %1
})");

  const Plan plan = codegen::make_plan(graph, codegen::make_cpu_target(), generic_only());

  CHECK(codegen::to_string(plan, graph) == R"(plan of g: 2 kernels, 1 intermediate, 27.17 us
kernel 0 g_0 by generic, 13.58 us
  computes %0 matmul (mlp.cpp:3)
  reads x: f32[m, k], v: f32[k, h]
  writes tmp0: f32[m, h]
kernel 1 g_1 by generic, 13.58 us
  computes %1 matmul (mlp.cpp:4)
  reads w: f32[h, n], tmp0: f32[m, h]
  writes out0: f32[m, n]
boundary between %0 matmul (mlp.cpp:3) and %1 matmul (mlp.cpp:4): 8*h*m bytes
  generic: 2 folds in one kernel
returns out0
)");
}

}  // namespace sinter::tests
