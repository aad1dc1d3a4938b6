#include "bench/peers/kernel_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "codegen/normalize/normalize.h"
#include "codegen/schedule.h"
#include "ir/text.h"
#include "runtime/check/families.h"

namespace sinter::bench {
namespace {

constexpr std::size_t kRotatedBytes = std::size_t{160} << 20;
constexpr std::int64_t kCopyThreads = 256;
constexpr std::int64_t kCopyVectors = 4;  // a thread

constexpr const char* kCopySource = R"(
typedef unsigned long long u64;
struct alignas(16) Vector { u64 words[2]; };

// Vectors beyond the shorter of the two are only read, or written with what was read last.
extern "C" __global__ void __launch_bounds__(256) copy(const Vector* from, Vector* to, u64 reads, u64 writes) {
  const u64 first = ((u64)blockIdx.x * 4) * 256 + threadIdx.x;
  Vector held[4];
  #pragma unroll
  for (int v = 0; v < 4; ++v) {
    const u64 at = first + v * 256;
    held[v] = Vector{};
    if (at < reads) held[v] = from[at];
  }
  u64 sum = 0;
  #pragma unroll
  for (int v = 0; v < 4; ++v) {
    const u64 at = first + v * 256;
    sum += held[v].words[0] ^ held[v].words[1];
    if (at < writes) to[at] = held[v];
  }
  if (sum == 0x123456789abcdefull) to[0] = held[0];
}
)";

std::size_t bytes_of(const ir::KernelParam& param) {
  std::size_t count = 1;
  for (const ir::IndexExpr& extent : param.shape) {
    count *= static_cast<std::size_t>(extent.constant());
  }
  return count * size_bytes(param.dtype);
}

/// A loaded program with what it refers to.
struct Bound {
  std::shared_ptr<runtime::LoadedProgram> loaded;
  std::unique_ptr<runtime::BoundProgram> program;
};

std::shared_ptr<Bound> bind(runtime::DeviceImpl& device, const codegen::Program& program,
                            const ir::CallNames& names) {
  auto bound = std::make_shared<Bound>();
  bound->loaded = device.load(program, device.compile(program));
  bound->program = bound->loaded->bind(names);
  return bound;
}

}  // namespace

RotatingBuffers::RotatingBuffers(runtime::DeviceImpl& device, const ir::Kernel& kernel)
    : device_(device) {
  for (const ir::KernelParam& param : kernel.params()) {
    (param.role == ir::ParamRole::In ? bytes_read_ : bytes_written_) += bytes_of(param);
  }
  const std::size_t sets = kRotatedBytes / (bytes_read_ + bytes_written_) + 2;
  for (const ir::KernelParam& param : kernel.params()) {
    std::vector<std::byte> host(bytes_of(param));
    runtime::fill_family(InputFamily::Uniform, param.dtype,
                         static_cast<std::uint64_t>(&param - kernel.params().data()) + 1, 0, host);
    sets_.resize(sets);
    for (auto& set : sets_) {
      set[param.name] = device.allocate(host.size());
      device.copy_in(set[param.name], host.data(), host.size());
    }
  }
}

RotatingBuffers::~RotatingBuffers() {
  for (auto& set : sets_) {
    for (auto& [name, memory] : set) device_.free(memory);
  }
}

void* RotatingBuffers::at(std::int64_t turn, const std::string& param) const {
  return sets_[static_cast<std::size_t>(turn) % sets_.size()].at(param);
}

KernelBench::KernelBench(runtime::DeviceImpl& device, const std::string& graph_text)
    : device_(device),
      plan_(codegen::make_plan(codegen::normalize(ir::parse_graph(graph_text)), device.target(),
                               codegen::schedules_of(codegen::Backend::Cuda))),
      buffers_(std::make_unique<RotatingBuffers>(device, kernel())) {}

std::string KernelBench::description() const {
  return fmt::format(
      "{} kernel(s), schedule {}, {} sets of buffers, {:.1f} MB a launch", plan_.kernels.size(),
      plan_.kernels.front().schedule->name, buffers_->sets(),
      static_cast<double>(buffers_->bytes_read() + buffers_->bytes_written()) * 1e-6);
}

std::vector<runtime::Contender> KernelBench::contenders(std::size_t most) {
  const codegen::Schedule& schedule = *plan_.kernels.front().schedule;
  const ir::Facts facts = schedule.classes(kernel()).front();
  const auto candidates = schedule.candidates(kernel(), facts, device_.target(), {});
  ir::CallNames names;
  std::vector<std::vector<std::int64_t>> extents, strides;
  for (const ir::KernelParam& param : kernel().params()) {
    names.tensors.push_back(param.name);
    auto& shape = extents.emplace_back();
    for (const ir::IndexExpr& extent : param.shape) shape.push_back(extent.constant());
    strides.push_back(ir::contiguous_strides(shape));
  }
  std::vector<runtime::Contender> contenders;
  for (std::size_t c = 0; c < std::min(most, candidates.size()); ++c) {
    const codegen::Config& config = candidates[c].config;
    const auto bound =
        bind(device_, schedule.emit(kernel(), facts, config, device_.target()), names);
    contenders.push_back(
        {fmt::format("{} ({:.0f} us predicted)", codegen::to_string(config),
                     candidates[c].predicted_us),
         [this, bound, names, extents, strides](auto stream, std::int64_t turn) {
           std::vector<ir::TensorLayout> tensors;
           for (std::size_t p = 0; p < names.tensors.size(); ++p) {
             const void* memory = buffers_->at(turn, names.tensors[p]);
             tensors.push_back({reinterpret_cast<std::uint64_t>(memory), extents[p], strides[p]});
           }
           bound->program->launch(stream, {{}, tensors, {}});
         }});
  }
  return contenders;
}

runtime::Contender copy_contender(runtime::DeviceImpl& device, const RotatingBuffers& buffers) {
  codegen::Program program;
  program.backend = codegen::Backend::Cuda;
  program.sources.push_back({"copy.cu", "cuda", kCopySource});
  codegen::Entry entry;
  entry.symbol = "copy";
  const auto reads = static_cast<std::int64_t>(buffers.bytes_read() / 16);
  const auto writes = static_cast<std::int64_t>(buffers.bytes_written() / 16);
  using codegen::ArgumentKind;
  entry.arguments = {{.kind = ArgumentKind::Pointer, .param = "from"},
                     {.kind = ArgumentKind::Pointer, .param = "to"},
                     {.kind = ArgumentKind::Size, .expr = reads},
                     {.kind = ArgumentKind::Size, .expr = writes}};
  const std::int64_t each = kCopyThreads * kCopyVectors;
  entry.launch.grid[0] = (std::max(reads, writes) + each - 1) / each;
  entry.launch.block[0] = kCopyThreads;
  program.entries.push_back(entry);
  const auto bound = bind(device, program, {{}, {"from", "to"}});

  struct Memory {
    runtime::DeviceImpl& device;
    std::vector<void*> blocks;
    ~Memory() {
      for (void* block : blocks) device.free(block);
    }
  };
  const auto memory = std::make_shared<Memory>(Memory{device, {}});
  for (std::size_t set = 0; set < buffers.sets(); ++set) {
    for (const std::size_t bytes : {buffers.bytes_read(), buffers.bytes_written()}) {
      std::vector<std::byte> host(bytes + 16);
      runtime::fill_family(InputFamily::Uniform, ir::DType::F32, set + 7, 0,
                           std::span(host).first(bytes / 4 * 4));
      memory->blocks.push_back(device.allocate(host.size()));
      device.copy_in(memory->blocks.back(), host.data(), host.size());
    }
  }
  return {"plain copy of as many bytes", [bound, memory](auto stream, std::int64_t turn) {
            const std::size_t set = static_cast<std::size_t>(turn) % (memory->blocks.size() / 2);
            const auto address = [&](std::size_t block) {
              return reinterpret_cast<std::uint64_t>(memory->blocks[block]);
            };
            const ir::TensorLayout tensors[] = {{address(2 * set), {}, {}},
                                                {address(2 * set + 1), {}, {}}};
            bound->program->launch(stream, {{}, tensors, {}});
          }};
}

void print_timings(const std::vector<runtime::Timing>& timings, double work, const char* unit) {
  for (const runtime::Timing& timing : timings) {
    fmt::print("    {:8.2f} us [{:.2f}, {:.2f}] min {:.2f} n {:4} {:4.0f} MHz{} {:6.2f} {}  {}{}\n",
               timing.median_us, timing.low_us, timing.high_us, timing.minimum_us, timing.samples,
               timing.clock_mhz, timing.was_power_capped ? " (power cap)" : "",
               work / timing.median_us * 1e-6, unit, timing.name,
               timing.rejected == 0 ? "" : fmt::format(", {} samples rejected", timing.rejected));
  }
}

void time_both_ways(runtime::DeviceImpl& device, const std::vector<runtime::Contender>& contenders,
                    double budget_ms, double work, const char* unit) {
  for (const runtime::Cache cache : {runtime::Cache::Cold, runtime::Cache::BackToBack}) {
    runtime::TimingOptions options;
    options.cache = cache;
    options.budget_ms = budget_ms;
    fmt::print("  {}\n", cache == runtime::Cache::Cold ? "one launch at a time" : "back to back");
    print_timings(runtime::time_interleaved(device, contenders, options).timings, work, unit);
  }
}

int run_cases(int argc, char** argv, const std::vector<std::string>& names,
              const std::function<void(runtime::DeviceImpl& device, std::size_t index)>& measure) {
  std::string why;
  const auto devices = runtime::cuda_devices(&why);
  if (devices.empty()) {
    fmt::print("[SKIP] {}\n", why);
    return 77;
  }
  try {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (argc > 1 && names[i].find(argv[1]) == std::string::npos) continue;
      measure(*devices.front(), i);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

}  // namespace sinter::bench
