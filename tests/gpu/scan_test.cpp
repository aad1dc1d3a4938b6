// The schedule scan on a GPU: every form of every class against the interpreter of kernels, on numbers whose
// folds are exact in every order.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using ScanSizes = std::map<std::string, std::int64_t>;

constexpr std::int64_t kScanLengths[] = {1, 7, 31, 33, 1000, 1025, 4099};

/// Each `step`-th config; exact where `tolerance` is 0.
void check_scans(const std::string& text, const ScanSizes& sizes, std::size_t step = 1,
                 double tolerance = 0) {
  check_configs_on_gpu("scan", text, sizes,
                       {.step = step, .is_spread = true, .tolerance = tolerance});
}

}  // namespace

TEST_CASE("rows of any length, with something ahead and behind") {
  for (const std::int64_t length : kScanLengths) {
    CAPTURE(length);
    check_scans(R"(graph g(%x: bf16[m, n], %w: f32[m, n]) {
      %0: f32[m, n] = cast(%x) {dtype: f32}
      %1: f32[m, n] = mul(%0, %0)
      %2: f32[m, n] = cumsum(%1) {axis: 1}
      %3: f32[m, n] = sub(%2, %w)
      return %2, %3
    })",
                {{"m", 5}, {"n", length}}, 3);
  }
}

TEST_CASE("rows from the end, exclusive") {
  for (const std::int64_t length : kScanLengths) {
    CAPTURE(length);
    check_scans(R"(graph g(%x: f32[m, n]) {
      %0: f32[m, n] = cumsum(%x) {axis: 1, exclusive: true, reverse: true}
      return %0
    })",
                {{"m", 70}, {"n", length}}, 3);
  }
  check_scans("graph g(%x: f32[m, n]) {\n  %0: f32[m, n] = cummax(%x) {axis: 1}\n  return %0\n}",
              {{"m", 3}, {"n", 0}}, 5);
}

TEST_CASE("rows in parts, more of them than a block has threads") {
  check_scans("graph g(%x: f32[n]) {\n  %0: f32[n] = cumsum(%x) {axis: 0}\n  return %0\n}",
              {{"n", 100003}});
  check_scans(R"(graph g(%x: i32[n]) {
    %0: i64[n] = cumsum(%x) {axis: 0, reverse: true}
    return %0
  })",
              {{"n", 600001}}, 4);
}

TEST_CASE("a recurrence, whose order counts, of numbers that wrap") {
  const std::string text = R"(graph g(%x: i32[m, n], %y: i32[m, n]) {
    %0.0: i32[m, n], %0.1: i32[m, n] = scan(%x, %y) {axis: 1, reducer: fn(%a: i32, %b: i32, %c: i32, %d: i32) { %0: i32 = mul(%a, %c) %1: i32 = mul(%b, %c) %2: i32 = add(%1, %d) return %0, %2 } from [1: i32, 0: i32]}
    return %0.0, %0.1
  })";
  check_scans(text, {{"m", 3}, {"n", 33}}, 2);
  check_scans(text, {{"m", 3}, {"n", 4099}}, 2);
  check_scans(text, {{"m", 2}, {"n", 100003}}, 6);
}

TEST_CASE("sums of exponentials") {
  const std::string rows =
      "graph g(%x: f32[m, n]) {\n  %0: f32[m, n] = logcumsumexp(%x) {axis: 1}\n  return %0\n}";
  check_scans(rows, {{"m", 3}, {"n", 1025}}, 3, 1e-5);
  check_scans(rows, {{"m", 1}, {"n", 20000}}, 3, 1e-5);
  check_scans(
      "graph g(%x: f32[m, n]) {\n  %0: f32[m, n] = logcumsumexp(%x) {axis: 0}\n  return %0\n}",
      {{"m", 333}, {"n", 36}}, 3, 1e-5);
}

TEST_CASE("columns, alone and shared, whole vectors and not") {
  for (const std::int64_t length : {1, 7, 33, 1025}) {
    CAPTURE(length);
    for (const std::int64_t columns : {1, 33, 72, 520}) {
      CAPTURE(columns);
      check_scans(R"(graph g(%x: bf16[2, m, n], %w: f32[2, m, n]) {
        %0: f32[2, m, n] = cast(%x) {dtype: f32}
        %1: f32[2, m, n] = cumsum(%0) {axis: 1, reverse: true}
        %2: f32[2, m, n] = add(%1, %w)
        return %2
      })",
                  {{"m", length}, {"n", columns}}, 5);
    }
  }
}

TEST_CASE("two runs give the same bits, whatever block comes first") {
  std::string why;
  runtime::DeviceImpl* gpu = first_gpu(&why);
  if (gpu == nullptr) return skip(why);
  const ScanSizes sizes = {{"n", 1 << 20}};
  const ir::Kernel kernel =
      fused_kernel("graph g(%x: f32[n]) {\n  %0: f32[n] = cumsum(%x) {axis: 0}\n  return %0\n}");
  const auto inputs = random_inputs(kernel, sizes, 9);
  for (const GpuRun& run : fitting_runs(cuda_schedule("scan"), kernel, sizes, gpu->target(), 4)) {
    CAPTURE(codegen::to_string(*run.config));
    const auto first = run_on_gpu(kernel, sizes, inputs, run);
    for (int i = 0; i < 4; ++i)
      CHECK(run_on_gpu(kernel, sizes, inputs, run).begin()->second.bits ==
            first.begin()->second.bits);
  }
}

}  // namespace sinter::tests
