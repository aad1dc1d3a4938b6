// Does the timing core see differences that are not there? Ten kernels, each timed against itself five times
// on the first GPU. The two medians may differ by no more than their intervals say: their distance is at
// most the half widths of both. Exit code 1 where more than 2 of the 50 comparisons say otherwise: intervals
// hold with 95 %. Usage: bench_self_compare [WORD]: only kernels whose name holds WORD.
#include <fmt/format.h>

#include <cmath>

#include "bench/peers/kernel_bench.h"

namespace sinter::bench {
namespace {

struct Case {
  std::string name;
  std::string graph;
};

std::string unary_rows(const std::string& op, const char* dtype, std::int64_t rows,
                       std::int64_t columns) {
  return fmt::format(
      "graph rows(%x: {0}[{1}, {2}]) {{\n  %0: {0}[{1}, {2}] = {3}\n  return %0\n}}\n", dtype, rows,
      columns, op);
}

std::string product(const char* dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  return fmt::format(
      "graph product(%x: {0}[{1}, {3}], %w: {0}[{3}, {2}]) {{\n"
      "  %0: {0}[{1}, {2}] = matmul(%x, %w)\n  return %0\n}}\n",
      dtype, m, n, k);
}

std::vector<Case> make_cases() {
  return {
      {"tanh_f32_4m", unary_rows("tanh(%x)", "f32", 1024, 4096)},
      {"tanh_bf16_64m", unary_rows("tanh(%x)", "bf16", 16384, 4096)},
      {"softmax_bf16_4096", unary_rows("softmax(%x) {axis: 1}", "bf16", 8192, 4096)},
      {"softmax_f32_1024", unary_rows("softmax(%x) {axis: 1}", "f32", 8192, 1024)},
      {"softmax_f16_16384", unary_rows("softmax(%x) {axis: 1}", "f16", 1024, 16384)},
      {"rms_norm_bf16_2560", unary_rows("rms_norm(%x) {axes: [1]}", "bf16", 8192, 2560)},
      {"product_bf16_8192_2560", product("bf16", 8192, 2560, 2560)},
      {"product_bf16_1024", product("bf16", 1024, 1024, 1024)},
      {"product_f16_4096", product("f16", 4096, 4096, 4096)},
      {"product_f16_2048_tall", product("f16", 16384, 512, 2048)},
  };
}

/// Comparisons in which two timings of one kernel differ by more than their intervals allow.
int count_false_differences(runtime::DeviceImpl& device, const Case& one) {
  constexpr int kRuns = 5;
  KernelBench bench(device, one.graph);
  const runtime::Contender contender = bench.contenders(1).front();
  int count = 0;
  fmt::print("{:<24}", one.name);
  for (int run = 0; run < kRuns; ++run) {
    runtime::TimingOptions options;
    if (run > 0) options.warm_up = {.least_ms = 50, .most_ms = 50};
    options.budget_ms = 400;
    const auto pair = runtime::time_interleaved(device, {contender, contender}, options).timings;
    const double distance = std::abs(pair[0].median_us - pair[1].median_us);
    const double allowed =
        (pair[0].high_us - pair[0].low_us + pair[1].high_us - pair[1].low_us) / 2;
    const bool is_false = distance > allowed;
    count += is_false ? 1 : 0;
    fmt::print("  {:8.2f} us {:+.2f} %{}", pair[0].median_us,
               100 * (pair[1].median_us / pair[0].median_us - 1), is_false ? "!" : " ");
  }
  fmt::print("\n");
  return count;
}

}  // namespace
}  // namespace sinter::bench

int main(int argc, char** argv) {
  const auto cases = sinter::bench::make_cases();
  std::vector<std::string> names;
  for (const auto& one : cases) names.push_back(one.name);
  int false_differences = 0;
  const int code = sinter::bench::run_cases(argc, argv, names, [&](auto& device, std::size_t i) {
    false_differences += sinter::bench::count_false_differences(device, cases[i]);
  });
  if (code != 0) return code;
  fmt::print("{} differences beyond their own intervals\n", false_differences);
  return false_differences > 2 ? 1 : 0;
}
