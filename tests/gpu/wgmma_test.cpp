// The schedule contraction_wgmma on a GPU against the generic schedule. Small whole numbers have exact
// sums in every order, so that the bits must agree.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "runtime/device_impl.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

/// All configs of both classes.
void check(const std::string& text, const Sizes& sizes) {
  CAPTURE(text);
  std::string why;
  if (first_gpu(&why) == nullptr) return skip(why);
  const codegen::Target& target = first_gpu(&why)->target();
  if (target.arch != "sm_90a") return skip("the GPU is no sm_90");
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Schedule& schedule = cuda_schedule("contraction_wgmma");
  const auto reason = schedule.refuses(kernel, target);
  REQUIRE_MESSAGE(!reason, *reason);
  const auto inputs = whole_numbers(kernel, sizes);
  const auto expected = run_on_gpu(kernel, sizes, inputs, {.facts_class = 1});
  for (std::size_t c = 0; c < 2; ++c) {
    const ir::Facts facts = schedule.classes(kernel).at(c);
    for (const codegen::Candidate& candidate : schedule.candidates(kernel, facts, target, {})) {
      CAPTURE(c);
      CAPTURE(codegen::to_string(candidate.config));
      const auto actual =
          run_on_gpu(kernel, sizes, inputs, {.facts_class = c, .config = candidate.config});
      for (const auto& [name, tensor] : expected) {
        CAPTURE(name);
        CHECK(count_differences(actual.at(name), tensor) == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("products of every remainder of the tile, with an added tensor") {
  check(R"(graph g(%x: bf16[m, k], %r: bf16[m, n], %w: bf16[k, n]) {
    %0: bf16[m, n] = matmul(%x, %w)
    %1: bf16[m, n] = add(%0, %r)
    return %1
  })",
        {{"m", 300}, {"k", 200}, {"n", 328}});
}

TEST_CASE("more tiles than the device holds at once, with an added tensor and without") {
  check(R"(graph g(%x: bf16[4096, 320], %r: bf16[4096, 2560], %w: bf16[320, 2560]) {
    %0: bf16[4096, 2560] = matmul(%x, %w)
    %1: bf16[4096, 2560] = add(%0, %r)
    return %1
  })",
        {});
  check(R"(graph g(%x: f16[4096, 72], %w: f16[72, 5120]) {
    %0: f16[4096, 5120] = matmul(%x, %w)
    return %0
  })",
        {});
}

TEST_CASE("both orders of both operands and batches") {
  check(R"(graph g(%x: f16[k, m], %w: f16[n, k]) {
    %0: f16[m, k] = permute(%x) {axes: [1, 0]}
    %1: f16[k, n] = permute(%w) {axes: [1, 0]}
    %2: f16[m, n] = matmul(%0, %1)
    return %2
  })",
        {{"m", 264}, {"k", 136}, {"n", 520}});
  check(R"(graph g(%x: bf16[b, 200, 64], %w: bf16[b, 64, 320], %r: bf16[b, 200, 320]) {
    %0: bf16[b, 200, 320] = matmul(%x, %w)
    %1: bf16[b, 200, 320] = add(%0, %r)
    return %1
  })",
        {{"b", 7}});
  check(R"(graph g(%x: bf16[5, 33, 64], %w: bf16[64, 320]) {
    %0: bf16[5, 33, 320] = matmul(%x, %w)
    return %0
  })",
        {});
}

TEST_CASE("epilogues: a row, a wide result, several results, a narrow one") {
  check(R"(graph g(%x: bf16[m, 128], %bias: bf16[384], %w: bf16[128, 384], %s: f32[m, 384]) {
    %0: bf16[m, 384] = matmul(%x, %w)
    %1: bf16[m, 384] = broadcast(%bias) {shape: [m, 384]}
    %2: bf16[m, 384] = add(%0, %1)
    %3: f32[m, 384] = cast(%2) {dtype: f32}
    %4: f32[m, 384] = mul(%3, %s)
    %5: bool[m, 384] = gt(%2, %0)
    return %4, %5
  })",
        {{"m", 200}});
  check(R"(graph g(%x: bf16[m, 128], %w: bf16[128, 384]) {
    %0: bf16[m, 384] = matmul(%x, %w)
    %1: i8[m, 384] = cast(%0) {dtype: i8}
    return %1
  })",
        {{"m", 200}});
}

}  // namespace sinter::tests
