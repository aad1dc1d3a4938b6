// Kernels whose limit is memory, on the first GPU: the best configs of the schedule that plan chose against
// a plain copy of as many bytes, timed interleaved in one run.
// Usage: bench_memory [WORD]: only cases whose name holds WORD.
#include <fmt/format.h>

#include "bench/peers/kernel_bench.h"

namespace sinter::bench {
namespace {

struct Case {
  const char* name;
  const char* graph;
};

constexpr Case kCases[] = {
    {"residual_rms_norm_bf16",
     R"(graph residual_rms_norm(%x: bf16[8192, 2560], %r: bf16[8192, 2560], %w: bf16[2560]) {
  %0: bf16[8192, 2560] = add(%x, %r)
  %1: bf16[8192, 2560] = rms_norm(%0, %w) {axes: [1]}
  return %0, %1
})"},
    {"softmax_bf16",
     R"(graph softmax(%x: bf16[8192, 4096]) {
  %0: bf16[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})"},
    {"softmax_f32",
     R"(graph softmax(%x: f32[8192, 4096]) {
  %0: f32[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})"},
    {"layer_norm_bf16",
     R"(graph layer_norm(%x: bf16[8192, 4096], %w: bf16[4096], %b: bf16[4096]) {
  %0: bf16[8192, 4096] = layer_norm(%x, %w, %b) {axes: [1]}
  return %0
})"},
    {"gated_f32",
     R"(graph gated(%a: f32[67108864], %b: f32[67108864]) {
  %0: f32[67108864] = tanh(%a)
  %1: f32[67108864] = mul(%0, %b)
  %2: f32[67108864] = sigmoid(%b)
  %3: f32 = constant() {value: 0.5: f32}
  %4: f32[67108864] = broadcast(%3) {shape: [67108864]}
  %5: f32[67108864] = mul(%2, %4)
  %6: f32[67108864] = add(%1, %5)
  return %6
})"},
    {"row_sum_f32",
     R"(graph row_sum(%x: f32[16384, 8192]) {
  %0: f32[16384] = sum(%x) {axes: [1]}
  return %0
})"},
};

void measure(runtime::DeviceImpl& device, const Case& one) {
  KernelBench bench(device, one.graph);
  fmt::print("{}: {}\n", one.name, bench.description());
  std::vector<runtime::Contender> contenders = bench.contenders(4);
  contenders.push_back(copy_contender(device, bench.buffers()));
  const double bytes =
      static_cast<double>(bench.buffers().bytes_read() + bench.buffers().bytes_written());
  time_both_ways(device, contenders, 700, bytes, "TB/s");
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
