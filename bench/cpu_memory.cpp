// Kernels of the CPU whose limit is memory, 256 MiB read each, against a plain loop that reads and writes as
// many bytes on as many threads, interleaved in one run. The outputs of the timed runs are compared with the
// reference. Exit code 1 where one is wrong.
// Usage: bench_cpu_memory [WORD [BUDGET_MS]]: only cases whose name holds WORD, so long for each case.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench/peers/cpu_ceiling.h"
#include "runtime/check/compare_outputs.h"
#include "runtime/check/families.h"
#include "runtime/executable_impl.h"
#include "runtime/profile/timing.h"
#include "sinter/sinter.h"

namespace sinter::bench {
namespace {

using Tensors = std::vector<Tensor>;

struct Input {
  DType dtype;
  std::vector<std::int64_t> shape;
};

struct Case {
  std::string name;
  std::vector<Input> inputs;
  std::function<Tensors(const Tensors&)> body;
  std::int64_t checked = 1024;  // elements of each output
  InputFamily family = InputFamily::Uniform;
};

constexpr DType kF32 = DType::F32, kBf16 = DType::BF16;
constexpr std::int64_t kMi = 1 << 20;

Tensors with_tanh(const Tensors& t) { return {t[0] + t[1] * tanh(t[2])}; }
Tensors gated(const Tensors& t) { return {tanh(t[0]) * t[1] + sigmoid(t[1]) * 0.5}; }
Tensors softmax_rows(const Tensors& t) { return {softmax(t[0], 1)}; }
Tensors layer_norm_rows(const Tensors& t) { return {layer_norm(t[0], t[1], t[2])}; }
Tensors residual_norm(const Tensors& t) {
  const Tensor sum = t[0] + t[1];
  return {sum, rms_norm(sum, t[2])};
}

/// Shapes with 256 MiB in all large inputs.
std::vector<Case> make_cases() {
  const std::int64_t third = 64 * kMi / 3 / 64 * 64;
  const Input row2560{kF32, {26208, 2560}}, row4096{kF32, {16384, 4096}};
  const Input half2560{kF32, {13104, 2560}}, bf16_half2560{kBf16, {26208, 2560}};
  const Input bf16_row2560{kBf16, {52416, 2560}}, bf16_row4096{kBf16, {32768, 4096}};
  const Input square{kF32, {5792, 5792}};
  return {
      {"tanh_f32", {{kF32, {third}}, {kF32, {third}}, {kF32, {third}}}, with_tanh},
      {"tanh_bf16", {{kBf16, {2 * third}}, {kBf16, {2 * third}}, {kBf16, {2 * third}}}, with_tanh},
      {"gated_f32", {{kF32, {32 * kMi}}, {kF32, {32 * kMi}}}, gated},
      {"gated_bf16", {{kBf16, {64 * kMi}}, {kBf16, {64 * kMi}}}, gated},
      {"bias_relu_f32",
       {row4096, {kF32, {4096}}},
       [](const Tensors& t) -> Tensors { return {relu(t[0] + t[1])}; }},
      {"add_transposed_f32",
       {square, square},
       [](const Tensors& t) -> Tensors { return {t[0] + transpose(t[1])}; }},
      {"transpose_scale_f32",
       {{kF32, {8192, 8192}}},
       [](const Tensors& t) -> Tensors { return {transpose(t[0]) * 0.125}; }},
      {"transpose_scale_bf16",
       {{kBf16, {16384, 8192}}},
       [](const Tensors& t) -> Tensors { return {transpose(t[0]) * 0.125}; }},
      {"softmax_f32_2560", {row2560}, softmax_rows},
      {"softmax_f32_4096", {row4096}, softmax_rows},
      {"softmax_bf16_2560", {bf16_row2560}, softmax_rows},
      {"softmax_bf16_4096", {bf16_row4096}, softmax_rows},
      {"layer_norm_f32_2560", {row2560, {kF32, {2560}}, {kF32, {2560}}}, layer_norm_rows},
      {"layer_norm_f32_4096", {row4096, {kF32, {4096}}, {kF32, {4096}}}, layer_norm_rows},
      {"layer_norm_bf16_4096", {bf16_row4096, {kBf16, {4096}}, {kBf16, {4096}}}, layer_norm_rows},
      {"residual_rms_norm_f32_2560", {half2560, half2560, {kF32, {2560}}}, residual_norm},
      {"residual_rms_norm_bf16_2560",
       {bf16_half2560, bf16_half2560, {kBf16, {2560}}},
       residual_norm},
      {"row_sum_f32", {row4096}, [](const Tensors& t) -> Tensors { return {sum(t[0], {1})}; }},
      {"row_sum_bf16",
       {bf16_row4096},
       [](const Tensors& t) -> Tensors { return {sum(t[0], {1})}; }},
      {"column_sum_f32",
       {row4096},
       [](const Tensors& t) -> Tensors { return {sum(t[0], {0})}; },
       16},
      {"full_sum_f32",
       {row4096},
       [](const Tensors& t) -> Tensors { return {sum(t[0])}; },
       1,
       InputFamily::Positive},
      {"argmax_f32", {row4096}, [](const Tensors& t) -> Tensors { return {argmax(t[0], 1)}; }, 64},
      {"logsumexp_f32",
       {row4096},
       [](const Tensors& t) -> Tensors { return {logsumexp(t[0], {1})}; },
       64},
      {"cumsum_f32", {row4096}, [](const Tensors& t) -> Tensors { return {cumsum(t[0], 1)}; }, 64},
  };
}

std::size_t bytes_of(const TensorView& view) {
  return static_cast<std::size_t>(std::accumulate(view.shape.begin(), view.shape.end(),
                                                  static_cast<std::int64_t>(size_bytes(view.dtype)),
                                                  std::multiplies<>()));
}

/// Random numbers whose pattern comes again after a prime number of elements.
void fill(const TensorView& view, InputFamily family, std::uint64_t seed) {
  constexpr std::size_t kPattern = 1000003;
  const std::size_t bytes = bytes_of(view);
  std::vector<std::byte> pattern(kPattern * size_bytes(view.dtype));
  runtime::fill_family(family, view.dtype, seed, 0, pattern);
  auto* data = static_cast<std::byte*>(view.data);
  for (std::size_t at = 0; at < bytes; at += pattern.size()) {
    std::memcpy(data + at, pattern.data(), std::min(pattern.size(), bytes - at));
  }
}

/// One case compiled, with its tensors.
class CaseRun {
 public:
  explicit CaseRun(const Case& one) : case_(one), op_(compile_case(one)) {
    for (const Input& input : one.inputs) {
      TensorView& view = inputs_.emplace_back();
      view.dtype = input.dtype;
      view.shape = input.shape;
    }
    outputs_ = op_.output_views(inputs_);
    for (TensorView& view : inputs_) {
      view.data = hold(bytes_of(view));
      fill(view, one.family, buffers_.size());
      mix_.read_bytes += bytes_of(view);
      large_inputs_ += bytes_of(view) >= 16 * kMi ? 1 : 0;
    }
    for (TensorView& view : outputs_) {
      view.data = hold(bytes_of(view));
      std::memset(view.data, 0xff, bytes_of(view));
      mix_.written_bytes += bytes_of(view);
      large_outputs_ += bytes_of(view) >= 16 * kMi ? 1 : 0;
    }
    mix_.read_streams = large_inputs_;
    mix_.written_streams = large_outputs_;
  }

  const ByteMix& mix() const { return mix_; }
  std::size_t kernels() const { return op_.impl().plan().kernels.size(); }
  void run() { op_.run(stream_, inputs_, outputs_); }

  /// What is wrong, by the reference; empty where nothing is.
  std::string check() const {
    const auto host = [](const std::vector<TensorView>& views) {
      std::vector<reference::HostTensor> tensors;
      for (const TensorView& view : views) {
        tensors.push_back({view.dtype, view.shape, {}, static_cast<std::byte*>(view.data)});
      }
      return tensors;
    };
    const reference::EvaluateOptions options{.longest_chain = op_.impl().longest_chain(inputs_)};
    std::string trouble;
    for (const reference::Comparison& comparison : runtime::compare_outputs(
             op_.impl().graph(), host(inputs_), host(outputs_), options, case_.checked)) {
      if (!comparison.passed) trouble += comparison.text + "\n";
    }
    return trouble;
  }

 private:
  static Executable compile_case(const Case& one) {
    Operator op;
    op.name = one.name;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      op.parameters.push_back(fmt::format("x{}", i));
    }
    op.body = one.body;
    std::vector<TensorSpec> specs;
    for (const Input& input : one.inputs) {
      specs.push_back({input.dtype, {input.shape.begin(), input.shape.end()}});
    }
    return compile(op, Device::cpu(), specs);
  }

  void* hold(std::size_t bytes) {
    return buffers_.emplace_back(Device::cpu().allocate(bytes)).data();
  }

  const Case& case_;
  Executable op_;
  Stream stream_ = Device::cpu().make_stream();
  std::vector<Buffer> buffers_;
  std::vector<TensorView> inputs_, outputs_;
  int large_inputs_ = 0, large_outputs_ = 0;
  ByteMix mix_;
};

bool measure(const Case& one, double budget_ms, runtime::ThreadPool& pool) {
  CaseRun run(one);
  CpuCeiling ceiling(pool, run.mix());
  const std::vector<runtime::Contender> contenders = {
      {one.name, [&](auto, std::int64_t) { run.run(); }},
      {"ceiling", [&](auto, std::int64_t) { ceiling.run(); }}};
  runtime::TimingOptions options;
  options.budget_ms = budget_ms;
  options.least_samples = 12;
  const auto timings = runtime::time_interleaved(Device::cpu().impl(), contenders, options).timings;
  const double bytes = static_cast<double>(run.mix().read_bytes + run.mix().written_bytes);
  const double median_us = timings[0].median_us, plain_us = timings[1].median_us;
  fmt::print("{:28} {:9.0f} {:9.0f} {:6.2f} {:9.0f} {:9.0f} {:6.2f} {:5.0f} % {:5.0f} % {:3} {}\n",
             one.name, median_us, timings[0].minimum_us, bytes / median_us * 1e-3, plain_us,
             timings[1].minimum_us, bytes / plain_us * 1e-3, 100 * plain_us / median_us,
             100 * timings[1].minimum_us / timings[0].minimum_us, timings[0].samples,
             run.kernels());
  std::fflush(stdout);
  const std::string trouble = run.check();
  if (!trouble.empty()) fmt::print("  wrong: {}", trouble);
  if (ceiling.sum() != ceiling.expected_sum()) fmt::print("  the plain loop did not run\n");
  return trouble.empty() && ceiling.sum() == ceiling.expected_sum();
}

int run_all(const std::string& word, double budget_ms) {
  runtime::ThreadPool pool(Device::cpu().impl().target().units);
  fmt::print("{}\n", Device::cpu().description());
  fmt::print("{:28} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6} {:>7} {:>7} {:>3} kernels\n", "case",
             "median us", "min us", "GB/s", "plain us", "min us", "GB/s", "share", "of min", "n");
  bool is_right = true;
  for (const Case& one : make_cases()) {
    if (one.name.find(word) == std::string::npos) continue;
    is_right = measure(one, budget_ms, pool) && is_right;
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace sinter::bench

int main(int argc, char** argv) {
  try {
    return sinter::bench::run_all(argc > 1 ? argv[1] : "", argc > 2 ? std::atof(argv[2]) : 2500);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
