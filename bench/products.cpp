// Matrix products with what surrounds them on the first GPU: the best configs of the schedule that
// plan chose, and cuBLASLt's best algorithm for the bare product, timed interleaved in one run. Buffers rotate
// over more than twice the L2 cache. Usage: bench_products [WORD]: only cases whose name holds WORD.
#include <fmt/format.h>

#include "bench/peers/cublas_lt.h"
#include "bench/peers/kernel_bench.h"

namespace sinter::bench {
namespace {

struct Case {
  const char* name;
  std::int64_t m, n, k;
  bool adds_residual;  // for cuBLASLt's fused form
  const char* graph;   // of %x [m, k], %w [k, n], and further inputs
};

constexpr Case kCases[] = {
    {"projection", 8192, 2560, 2560, false,
     R"(graph projection(%x: bf16[8192, 2560], %w: bf16[2560, 2560]) {
  %0: bf16[8192, 2560] = matmul(%x, %w)
  return %0
})"},
    {"projection_residual", 8192, 2560, 2560, true,
     R"(graph projection_residual(%x: bf16[8192, 2560], %w: bf16[2560, 2560], %r: bf16[8192, 2560]) {
  %0: bf16[8192, 2560] = matmul(%x, %w)
  %1: bf16[8192, 2560] = add(%0, %r)
  return %1
})"},
    {"bias_gelu", 8192, 10240, 2560, false,
     R"(graph bias_gelu(%x: bf16[8192, 2560], %w: bf16[2560, 10240], %b: bf16[10240]) {
  %0: bf16[8192, 10240] = matmul(%x, %w)
  %1: bf16[8192, 10240] = broadcast(%b) {shape: [8192, 10240]}
  %2: bf16[8192, 10240] = add(%0, %1)
  %3: bf16[8192, 10240] = gelu_tanh(%2)
  return %3
})"},
    {"square_f16", 4096, 4096, 4096, false,
     R"(graph square_f16(%x: f16[4096, 4096], %w: f16[4096, 4096]) {
  %0: f16[4096, 4096] = matmul(%x, %w)
  return %0
})"},
};

/// The algorithm that is fastest in a pass of its own.
runtime::Contender best_cublas_lt(runtime::DeviceImpl& device, CublasLtProduct& peer,
                                  const RotatingBuffers& buffers, bool adds_c) {
  const auto run = [&, adds_c](std::size_t algorithm, runtime::StreamHandle stream,
                               std::int64_t turn) {
    const void* c = adds_c ? buffers.at(turn, "r") : nullptr;
    peer.launch(stream, algorithm,
                {buffers.at(turn, "x"), buffers.at(turn, "w"), c, buffers.at(turn, "out0")});
  };
  std::vector<runtime::Contender> algorithms;
  for (std::size_t a = 0; a < peer.algorithms(); ++a) {
    algorithms.push_back(
        {fmt::format("{}", a), [run, a](auto stream, std::int64_t turn) { run(a, stream, turn); }});
  }
  runtime::TimingOptions quick;
  quick.cache = runtime::Cache::BackToBack;
  quick.warm_up = {.least_ms = 100, .most_ms = 100};
  quick.least_samples = 8;
  quick.budget_ms = 400;
  const auto timings = runtime::time_interleaved(device, algorithms, quick).timings;
  const auto faster = [](const auto& a, const auto& b) { return a.median_us < b.median_us; };
  const auto best = static_cast<std::size_t>(
      std::min_element(timings.begin(), timings.end(), faster) - timings.begin());
  return {fmt::format("cuBLASLt{} best of {}", adds_c ? " + residual" : " bare product",
                      algorithms.size()),
          [run, best](auto stream, std::int64_t turn) { run(best, stream, turn); }};
}

void measure(runtime::DeviceImpl& device, const Case& one) {
  KernelBench bench(device, one.graph);
  fmt::print("{}: {}\n", one.name, bench.description());
  std::vector<runtime::Contender> contenders = bench.contenders(3);
  std::vector<std::unique_ptr<CublasLtProduct>> peers;
  if (const std::string why = why_no_cublas_lt(); !why.empty()) fmt::print("  no peer: {}\n", why);
  for (const bool adds_c : {false, true}) {
    if (!why_no_cublas_lt().empty() || (adds_c && !one.adds_residual)) continue;
    const ProductShape shape{one.m, one.n, one.k, bench.kernel().params().at(0).dtype, adds_c};
    peers.push_back(std::make_unique<CublasLtProduct>(device, shape));
    contenders.push_back(best_cublas_lt(device, *peers.back(), bench.buffers(), adds_c));
  }
  const double flops =
      2.0 * static_cast<double>(one.m) * static_cast<double>(one.n) * static_cast<double>(one.k);
  time_both_ways(device, contenders, 1200, flops, "TFLOP/s");
}

}  // namespace
}  // namespace sinter::bench

int main(int argc, char** argv) {
  using sinter::bench::kCases;
  std::vector<std::string> names;
  for (const auto& one : kCases) names.push_back(one.name);
  return sinter::bench::run_cases(argc, argv, names, [](auto& device, std::size_t index) {
    sinter::bench::measure(device, kCases[index]);
  });
}
