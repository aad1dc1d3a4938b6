// The schedule split_reduce without a GPU: what it takes, and that its kernels compile without local memory on
// every generation.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

const std::string kColumns = R"(graph columns(%x: f32[16384, 8192]) {
  %0: f32[8192] = sum(%x) {axes: [0]}
  return %0
})";
const std::string kWhole = R"(graph whole(%x: bf16[m, n]) {
  %0: f32[m, n] = cast(%x) {dtype: f32}
  %1: f32 = sum(%0) {axes: [0, 1]}
  %2: f32 = max(%0) {axes: [0, 1]}
  return %1, %2
})";

std::string split_refusal_of(const std::string& text) {
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  return cuda_schedule("split_reduce").refuses(fused_kernel(text), target).value_or("accepted");
}

codegen::Config best_split_of(const std::string& text) {
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const codegen::Schedule& schedule = cuda_schedule("split_reduce");
  return schedule.candidates(kernel, schedule.classes(kernel)[0], target, {})[0].config;
}

}  // namespace

TEST_CASE("columns and whole tensors are split among blocks") {
  CHECK(split_refusal_of(kColumns) == "accepted");
  CHECK(best_split_of(kColumns).at("columns") == 1);
  CHECK(best_split_of(kColumns).at("splits") > 1);
  CHECK(best_split_of(kWhole).at("columns") == 0);
  CHECK(best_split_of(kWhole).at("splits") > 100);
}

TEST_CASE("chains, scans and products are for others") {
  CHECK(split_refusal_of(R"(graph g(%x: f32[64, 64]) {
    %0: f32[64, 64] = softmax(%x) {axis: 1}
    return %0
  })") == "a reduction of it needs another one");
  CHECK(split_refusal_of(R"(graph g(%x: f32[64, 64]) {
    %0: f32[64, 64] = cumsum(%x) {axis: 1}
    return %0
  })") == "it has a contraction or a scan");
  CHECK(split_refusal_of(R"(graph g(%x: f32[64, 64]) {
    %0: f32[64, 64] = neg(%x)
    return %0
  })") == "it reduces nothing");
}

TEST_CASE("columns and whole tensors compile without local memory on every generation") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const codegen::Schedule& schedule = cuda_schedule("split_reduce");
  for (const std::string& arch : test_architectures()) {
    const codegen::Target target = codegen::make_cuda_target(arch);
    for (const std::string& text : {kColumns, kWhole}) {
      const ir::Kernel kernel = fused_kernel(text);
      const ir::Facts facts = schedule.classes(kernel)[0];
      const auto candidates = schedule.candidates(kernel, facts, target, {});
      for (const codegen::Candidate& candidate : {candidates.front(), candidates.back()}) {
        check_config_compiles(schedule, kernel, facts, candidate.config, arch);
      }
    }
  }
}

}  // namespace sinter::tests
