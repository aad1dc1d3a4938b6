// The schedule scan on a GPU: every form of every class against the interpreter of kernels, on numbers whose
// folds are exact in every order.
#include <doctest/doctest.h>

#include <cmath>

#include "codegen/schedule.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using ScanSizes = std::map<std::string, std::int64_t>;

constexpr std::int64_t kScanLengths[] = {1, 7, 31, 33, 1000, 1025, 4099};

/// Largest difference, relative to the value or 1; infinity where one of two is NaN.
double largest_scan_difference(const BitsTensor& actual, const BitsTensor& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.bits.size(); ++i) {
    const double a = ir::as_double({actual.dtype, actual.bits[i]});
    const double b = ir::as_double({expected.dtype, expected.bits[i]});
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double difference = std::fabs(a - b) / std::max(1.0, std::fabs(b));
    largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
  }
  return largest;
}

/// Each `step`-th config; exact where `tolerance` is 0.
void check_scans(const std::string& text, const ScanSizes& sizes, std::size_t step = 1,
                 double tolerance = 0) {
  CAPTURE(text);
  std::string why;
  runtime::DeviceImpl* gpu = first_gpu(&why);
  if (gpu == nullptr) return skip(why);
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Schedule& schedule = cuda_schedule("scan");
  const auto reason = schedule.refuses(kernel, gpu->target());
  REQUIRE_MESSAGE(!reason, *reason);
  const auto inputs =
      tolerance == 0 ? whole_numbers(kernel, sizes) : random_inputs(kernel, sizes, 5);
  const auto expected = interpret_kernel(kernel, sizes, inputs);
  auto runs = fitting_runs(schedule, kernel, sizes, gpu->target(), step);
  CHECK(!runs.empty());
  // Strides of any kind: the last class.
  runs.push_back(runs.back());
  runs.back().is_spread = true;
  for (const GpuRun& run : runs) {
    CAPTURE(run.facts_class);
    CAPTURE(run.is_spread);
    CAPTURE(codegen::to_string(*run.config));
    const auto actual = run_on_gpu(kernel, sizes, inputs, run);
    for (const auto& [name, tensor] : expected) {
      CAPTURE(name);
      if (tolerance == 0) {
        CHECK(count_differences(actual.at(name), tensor) == 0);
      } else {
        CHECK(largest_scan_difference(actual.at(name), tensor) <= tolerance);
      }
    }
  }
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
