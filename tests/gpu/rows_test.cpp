// The schedule rows on a GPU: every config of every class on whole numbers, whose sums are exact in every
// order, so that each element is known.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "codegen/schedule.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

/// Two passes of folds and a store along the row, and a store a row.
std::string chain(const std::string& dtype, const std::string& m, const std::string& n) {
  return fmt::format(
      "graph chain(%x: {0}[{1}, {2}], %r: {0}[{1}, {2}], %w: {0}[{2}]) {{\n"
      "  %0: f32[{1}, {2}] = cast(%x) {{dtype: f32}}\n"
      "  %1: f32[{1}, {2}] = cast(%r) {{dtype: f32}}\n"
      "  %2: f32[{1}, {2}] = add(%0, %1)\n"
      "  %13: f32[{1}] = max(%2) {{axes: [1]}}\n"
      "  %3: f32[{1}, 1] = reshape(%13) {{shape: [{1}, 1]}}\n"
      "  %4: f32[{1}, {2}] = broadcast(%3) {{shape: [{1}, {2}]}}\n"
      "  %5: f32[{1}, {2}] = sub(%2, %4)\n"
      "  %6: f32[{1}] = sum(%5) {{axes: [1]}}\n"
      "  %7: f32[{1}, 1] = reshape(%6) {{shape: [{1}, 1]}}\n"
      "  %8: f32[{1}, {2}] = broadcast(%7) {{shape: [{1}, {2}]}}\n"
      "  %9: f32[{1}, {2}] = add(%5, %8)\n"
      "  %10: f32[{2}] = cast(%w) {{dtype: f32}}\n"
      "  %11: f32[{1}, {2}] = broadcast(%10) {{shape: [{1}, {2}]}}\n"
      "  %12: f32[{1}, {2}] = add(%9, %11)\n"
      "  return %12, %6\n}}\n",
      dtype, m, n);
}

double value_at(const BitsTensor& tensor, std::int64_t index) {
  return ir::as_double({tensor.dtype, tensor.bits.at(static_cast<std::size_t>(index))});
}

/// Elements that are not those of `chain`.
std::int64_t count_wrong(const std::map<std::string, BitsTensor>& inputs,
                         const std::map<std::string, BitsTensor>& outputs) {
  const BitsTensor& x = inputs.at("x");
  const std::int64_t m = x.extents[0], n = x.extents[1];
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    const auto sum_at = [&](std::int64_t j) {
      return value_at(x, i * n + j) + value_at(inputs.at("r"), i * n + j);
    };
    double most = sum_at(0), total = 0;
    for (std::int64_t j = 0; j < n; ++j) most = std::max(most, sum_at(j));
    for (std::int64_t j = 0; j < n; ++j) total += sum_at(j) - most;
    wrong += value_at(outputs.at("out1"), i) == total ? 0 : 1;
    for (std::int64_t j = 0; j < n; ++j) {
      const double expected = sum_at(j) - most + total + value_at(inputs.at("w"), j);
      wrong += value_at(outputs.at("out0"), i * n + j) == expected ? 0 : 1;
    }
  }
  return wrong;
}

/// Every class that dense tensors are in, every config.
void check_rows(const std::string& dtype, std::int64_t m, std::int64_t n, bool is_named) {
  std::string why;
  runtime::DeviceImpl* gpu = first_gpu(&why);
  if (gpu == nullptr) return skip(why);
  const ir::Kernel kernel = fused_kernel(
      is_named ? chain(dtype, "m", "n") : chain(dtype, std::to_string(m), std::to_string(n)));
  std::map<std::string, std::int64_t> sizes;
  if (is_named) sizes = {{"m", m}, {"n", n}};
  const codegen::Schedule& rows = cuda_schedule("rows");
  REQUIRE(!rows.refuses(kernel, gpu->target()));
  const auto inputs = whole_numbers(kernel, sizes);
  // There are dozens, each to be compiled; of long rows the host takes seconds to check one.
  const std::size_t step = m * n > 50'000 ? 6 : 3;
  for (const GpuRun& run : fitting_runs(rows, kernel, sizes, gpu->target(), step)) {
    CAPTURE(run.facts_class);
    CAPTURE(codegen::to_string(*run.config));
    CAPTURE(n);
    CHECK(count_wrong(inputs, run_on_gpu(kernel, sizes, inputs, run)) == 0);
  }
}

/// argmin of whole numbers, many of them equal: every class that dense tensors are in, every config.
void check_positions(const std::string& dtype, std::int64_t m, std::int64_t n, bool is_named) {
  std::string why;
  runtime::DeviceImpl* gpu = first_gpu(&why);
  if (gpu == nullptr) return skip(why);
  const ir::Kernel kernel = fused_kernel(
      fmt::format("graph place(%x: {0}[{1}, {2}]) {{\n"
                  "  %0: i64[{1}] = argmin(%x) {{axis: 1}}\n  return %0\n}}\n",
                  dtype, is_named ? "m" : std::to_string(m), is_named ? "n" : std::to_string(n)));
  std::map<std::string, std::int64_t> sizes;
  if (is_named) sizes = {{"m", m}, {"n", n}};
  const codegen::Schedule& rows = cuda_schedule("rows");
  const auto inputs = whole_numbers(kernel, sizes);
  const BitsTensor& x = inputs.at("x");
  const std::size_t step = m * n > 50'000 ? 6 : 3;
  for (const GpuRun& run : fitting_runs(rows, kernel, sizes, gpu->target(), step)) {
    CAPTURE(run.facts_class);
    CAPTURE(codegen::to_string(*run.config));
    CAPTURE(n);
    const auto outputs = run_on_gpu(kernel, sizes, inputs, run);
    for (std::int64_t i = 0; i < m; ++i) {
      std::int64_t place = 0;
      for (std::int64_t j = 1; j < n; ++j) {
        if (value_at(x, i * n + j) < value_at(x, i * n + place)) place = j;
      }
      CHECK(value_at(outputs.begin()->second, i) == place);
    }
  }
}

}  // namespace

TEST_CASE("places of the smallest among equals") {
  for (const std::int64_t n : {1, 7, 100, 257, 2560, 5001}) check_positions("bf16", 19, n, false);
  check_positions("i8", 5, 4100, false);
  check_positions("f32", 3, 1027, true);
  check_positions("f64", 3, 514, false);
  check_positions("bf16", 1, 262144, false);
}

TEST_CASE("rows that warps and parts of them share") {
  for (const std::int64_t n : {1, 7, 100, 257}) check_rows("bf16", 37, n, false);
  check_rows("f32", 101, 129, false);
}

TEST_CASE("rows that blocks share, of whole vectors and not") {
  for (const std::int64_t n : {2560, 5001}) check_rows("bf16", 3, n, false);
  check_rows("f16", 2, 8191, true);
}

TEST_CASE("rows that the blocks of a cluster share") {
  check_rows("bf16", 2, 50257, false);
  check_rows("f32", 2, 65536, false);
  check_rows("bf16", 1, 262144, true);
}

}  // namespace sinter::tests
