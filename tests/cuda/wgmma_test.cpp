// The schedule contraction_wgmma: what it takes, and that every class and config of it compiles for
// sm_90a without local memory and without serialized products.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

const codegen::Schedule& wgmma() { return codegen::cuda_schedules()[0]; }

/// The first `configs` of each class that is not the generic schedule's.
void compile_best(const std::string& text, std::size_t configs) {
  CAPTURE(text);
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const ir::Kernel kernel = fused_kernel(text);
  const auto reason = wgmma().refuses(kernel, target);
  REQUIRE_MESSAGE(!reason, *reason);
  const std::vector<ir::Facts> classes = wgmma().classes(kernel);
  for (const ir::Facts& facts : std::span(classes).first(2)) {
    const auto candidates = wgmma().candidates(kernel, facts, target, {});
    for (std::size_t c = 0; c < std::min(configs, candidates.size()); ++c) {
      const codegen::Candidate& candidate = candidates[c];
      CHECK(candidate.config.schedule == "contraction_wgmma");
      for (const auto& one :
           check_config_compiles(wgmma(), kernel, facts, candidate.config, "sm_90a")) {
        CHECK(one.registers <= 168);
      }
    }
  }
}

std::string refusal_of(const std::string& text, const std::string& arch = "sm_90a") {
  return wgmma().refuses(fused_kernel(text), codegen::make_cuda_target(arch)).value_or("accepted");
}

}  // namespace

TEST_CASE("products with an added tensor compile in every class and config") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  compile_best(R"(graph g(%x: bf16[512, 256], %r: bf16[512, 384], %w: bf16[256, 384]) {
    %0: bf16[512, 384] = matmul(%x, %w)
    %1: bf16[512, 384] = add(%0, %r)
    return %1
  })",
               100);
}

TEST_CASE("both orders of both operands, batches and named dimensions compile") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  compile_best(R"(graph g(%x: f16[k, m], %w: f16[n, k]) {
    %0: f16[m, k] = permute(%x) {axes: [1, 0]}
    %1: f16[k, n] = permute(%w) {axes: [1, 0]}
    %2: f16[m, n] = matmul(%0, %1)
    return %2
  })",
               2);
  compile_best(R"(graph g(%x: bf16[b, 512, 64], %w: bf16[b, 64, 1024]) {
    %0: bf16[b, 512, 1024] = matmul(%x, %w)
    return %0
  })",
               2);
}

TEST_CASE("epilogues with functions, wide and narrow results compile") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  compile_best(R"(graph g(%x: bf16[m, 128], %bias: bf16[256], %w: bf16[128, 256], %s: f32[m, 256]) {
    %0: bf16[m, 256] = matmul(%x, %w)
    %1: bf16[m, 256] = broadcast(%bias) {shape: [m, 256]}
    %2: bf16[m, 256] = add(%0, %1)
    %3: bf16[m, 256] = gelu_tanh(%2)
    %4: f32[m, 256] = cast(%3) {dtype: f32}
    %5: f32[m, 256] = mul(%4, %s)
    return %5
  })",
               2);
}

TEST_CASE("what the schedule does not take, in words") {
  CHECK(refusal_of("graph g(%x: f32[8, 8], %w: f32[8, 8]) {\n %0: f32[8, 8] = matmul(%x, %w)\n "
                   "return %0\n}") == "its operands are f32, bf16 or f16 are needed");
  CHECK(refusal_of("graph g(%x: bf16[8, 8], %w: bf16[8, 8]) {\n %0: bf16[8, 8] = matmul(%x, %w)\n "
                   "return %0\n}",
                   "sm_80") == "it needs sm_90a, the device has sm_80");
  CHECK(refusal_of("graph g(%x: bf16[8, 8]) {\n %0: bf16[8, 8] = exp(%x)\n return %0\n}") ==
        "it is not one contraction alone");
  CHECK(refusal_of("graph g(%x: bf16[8, 8], %w: bf16[8, 8]) {\n %0: bf16[8, 8] = exp(%x)\n"
                   " %1: bf16[8, 8] = matmul(%0, %w)\n return %1\n}") ==
        "an operand of its contraction is computed");
}

}  // namespace sinter::tests
