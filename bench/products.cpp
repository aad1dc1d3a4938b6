// Matrix products with what surrounds them on the first GPU: every config of the schedule that plan
// chose, and cuBLASLt's best algorithm for the bare product, timed interleaved in one run. Buffers rotate
// over more than twice the L2 cache. Usage: bench_products [WORD]: only cases whose name holds WORD.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "bench/peers/cublas_lt.h"
#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "codegen/schedule.h"
#include "ir/text.h"
#include "runtime/device_impl.h"
#include "runtime/profile/timing.h"
#include "tools/inputs.h"

namespace sinter::bench {
namespace {

constexpr std::size_t kRotatedBytes = std::size_t{160} << 20;

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

/// The tensors of one kernel, several times over.
class RotatingBuffers {
 public:
  RotatingBuffers(runtime::DeviceImpl& device, const ir::Kernel& kernel) : device_(device) {
    std::size_t bytes = 0;
    for (const ir::KernelParam& param : kernel.params()) bytes += bytes_of(param);
    const std::size_t sets = kRotatedBytes / bytes + 2;
    for (std::size_t set = 0; set < sets; ++set) {
      auto& memory = sets_.emplace_back();
      for (const ir::KernelParam& param : kernel.params()) {
        std::vector<std::byte> host(bytes_of(param));
        tools::fill_uniform(param.dtype, 100 * set + memory.size() + 1, host);
        memory[param.name] = device.allocate(host.size());
        device.copy_in(memory[param.name], host.data(), host.size());
      }
    }
  }
  ~RotatingBuffers() {
    for (auto& set : sets_) {
      for (auto& [name, memory] : set) device_.free(memory);
    }
  }
  RotatingBuffers(const RotatingBuffers&) = delete;
  RotatingBuffers& operator=(const RotatingBuffers&) = delete;

  std::size_t sets() const { return sets_.size(); }
  void* at(std::int64_t turn, const std::string& name) const {
    return sets_[static_cast<std::size_t>(turn) % sets_.size()].at(name);
  }

 private:
  static std::size_t bytes_of(const ir::KernelParam& param) {
    std::size_t count = 1;
    for (const ir::IndexExpr& extent : param.shape) {
      count *= static_cast<std::size_t>(extent.constant());
    }
    return count * size_bytes(param.dtype);
  }

  runtime::DeviceImpl& device_;
  std::vector<std::map<std::string, void*>> sets_;
};

/// One compiled config, bound to each set of buffers.
struct Variant {
  std::string name;
  std::shared_ptr<runtime::LoadedProgram> loaded;
  std::unique_ptr<runtime::BoundProgram> bound;
};

void measure(runtime::DeviceImpl& device, const Case& one) {
  const ir::Graph graph = codegen::normalize(ir::parse_graph(one.graph));
  const codegen::Plan plan =
      codegen::make_plan(graph, device.target(), codegen::schedules_of(codegen::Backend::Cuda));
  const codegen::PlannedKernel& planned = plan.kernels.at(0);
  const ir::Kernel& kernel = planned.kernel;
  const RotatingBuffers buffers(device, kernel);
  fmt::print("{}: {} kernel(s), schedule {}, {} sets of buffers\n", one.name, plan.kernels.size(),
             planned.schedule->name, buffers.sets());

  ir::CallNames names;
  std::vector<std::vector<std::int64_t>> extents, strides;
  for (const ir::KernelParam& param : kernel.params()) {
    names.tensors.push_back(param.name);
    auto& shape = extents.emplace_back();
    for (const ir::IndexExpr& extent : param.shape) shape.push_back(extent.constant());
    strides.push_back(ir::contiguous_strides(shape));
  }
  const ir::Facts facts = planned.schedule->classes(kernel).front();
  std::vector<Variant> variants;
  for (const codegen::Candidate& candidate :
       planned.schedule->candidates(kernel, facts, device.target(), {})) {
    const codegen::Program program =
        planned.schedule->emit(kernel, facts, candidate.config, device.target());
    Variant variant;
    variant.name = fmt::format("{} ({:.0f} us predicted)", codegen::to_string(candidate.config),
                               candidate.predicted_us);
    variant.loaded = device.load(program, device.compile(program));
    variant.bound = variant.loaded->bind(names);
    variants.push_back(std::move(variant));
  }
  const auto launch = [&](Variant& variant, runtime::StreamHandle stream, std::int64_t turn) {
    std::vector<ir::TensorLayout> tensors;
    for (std::size_t p = 0; p < names.tensors.size(); ++p) {
      const auto address = reinterpret_cast<std::uint64_t>(buffers.at(turn, names.tensors[p]));
      tensors.push_back({address, extents[p], strides[p]});
    }
    variant.bound->launch(stream, {{}, tensors, {}});
  };

  std::vector<runtime::Contender> contenders;
  for (Variant& variant : variants) {
    contenders.push_back({variant.name, [&](runtime::StreamHandle stream, std::int64_t turn) {
                            launch(variant, stream, turn);
                          }});
  }
  const std::string output = graph.outputs().size() == 1 ? "out0" : "";
  std::vector<std::unique_ptr<CublasLtProduct>> peers;
  if (const std::string why = why_no_cublas_lt(); !why.empty()) {
    fmt::print("  no peer: {}\n", why);
  } else {
    for (const bool adds_c : {false, true}) {
      if (adds_c && !one.adds_residual) continue;
      const ProductShape shape{one.m, one.n, one.k, kernel.params().at(0).dtype, adds_c};
      auto& peer = *peers.emplace_back(std::make_unique<CublasLtProduct>(device, shape));
      const auto run = [&, adds_c](std::size_t algorithm, runtime::StreamHandle stream,
                                   std::int64_t turn) {
        const void* c = adds_c ? buffers.at(turn, "r") : nullptr;
        peer.launch(stream, algorithm,
                    {buffers.at(turn, "x"), buffers.at(turn, "w"), c, buffers.at(turn, output)});
      };
      // The best algorithm is picked in a pass of its own.
      std::vector<runtime::Contender> algorithms;
      for (std::size_t a = 0; a < peer.algorithms(); ++a) {
        algorithms.push_back({fmt::format("{}", a),
                              [run, a](auto stream, std::int64_t turn) { run(a, stream, turn); }});
      }
      runtime::TimingOptions quick;
      quick.batch = 10;
      quick.warmup_ms = 100;
      quick.least_samples = 8;
      quick.budget_ms = 400;
      const auto timings = runtime::time_interleaved(device, algorithms, quick);
      const auto best = static_cast<std::size_t>(
          std::min_element(timings.begin(), timings.end(),
                           [](const auto& a, const auto& b) { return a.median_us < b.median_us; }) -
          timings.begin());
      contenders.push_back(
          {fmt::format("cuBLASLt{} best of {} (default {:.1f} us)",
                       adds_c ? " + residual" : " bare product", algorithms.size(),
                       timings[0].median_us),
           [run, best](auto stream, std::int64_t turn) { run(best, stream, turn); }});
    }
  }
  for (const std::int64_t batch : {1, 20}) {
    runtime::TimingOptions options;
    options.batch = batch;
    options.budget_ms = 1500;
    fmt::print("  {}\n", batch == 1 ? "one launch at a time" : "20 launches back to back");
    const double flops =
        2.0 * static_cast<double>(one.m) * static_cast<double>(one.n) * static_cast<double>(one.k);
    for (const runtime::Timing& timing : runtime::time_interleaved(device, contenders, options)) {
      fmt::print("    {:8.2f} us [{:.2f}, {:.2f}] min {:.2f} n {:4} {:6.1f} TFLOP/s  {}\n",
                 timing.median_us, timing.low_us, timing.high_us, timing.minimum_us, timing.samples,
                 flops / timing.median_us * 1e-6, timing.name);
    }
  }
}

}  // namespace
}  // namespace sinter::bench

int main(int argc, char** argv) {
  std::string why;
  const auto devices = sinter::runtime::cuda_devices(&why);
  if (devices.empty()) {
    fmt::print("[SKIP] {}\n", why);
    return 77;
  }
  try {
    for (const auto& one : sinter::bench::kCases) {
      if (argc > 1 && std::strstr(one.name, argv[1]) == nullptr) continue;
      sinter::bench::measure(*devices.front(), one);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_products: {}\n", error.what());
    return 1;
  }
}
