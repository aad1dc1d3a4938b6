#include "runtime/profile/copy_contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "runtime/check/families.h"
#include "runtime/profile/probe.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kDrawnBytes = std::size_t{4} << 20;

/// A loaded program with the memory that it works on, by set and tensor.
struct LoadedProbe {
  explicit LoadedProbe(DeviceImpl& of_device) : device(of_device) {}
  ~LoadedProbe() {
    for (void* block : blocks) device.free(block);
  }
  LoadedProbe(const LoadedProbe&) = delete;
  LoadedProbe& operator=(const LoadedProbe&) = delete;

  DeviceImpl& device;
  std::vector<void*> blocks;
  std::shared_ptr<LoadedProgram> loaded;
  std::unique_ptr<BoundProgram> bound;
};

void fill(DeviceImpl& device, const ProbeTensor& tensor, std::span<void* const> memories) {
  std::vector<std::byte> host(static_cast<std::size_t>(tensor.bytes));
  // Numbers are drawn for the first part and repeated: drawing takes long, and no cache sees that they repeat.
  const std::size_t drawn = std::min(host.size(), kDrawnBytes);
  const std::size_t whole = drawn / size_bytes(tensor.dtype) * size_bytes(tensor.dtype);
  fill_family(InputFamily::Uniform, tensor.dtype, 7, 0, std::span(host).first(whole));
  for (std::size_t at = drawn; at < host.size(); at += drawn) {
    std::copy_n(host.begin(), std::min(drawn, host.size() - at),
                host.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (void* memory : memories) device.copy_in(memory, host.data(), host.size());
}

}  // namespace

Contender probe_contender(DeviceImpl& device, const std::string& name,
                          const codegen::Program& program, const std::vector<ProbeTensor>& tensors,
                          std::int64_t rotation) {
  const auto probe = std::make_shared<LoadedProbe>(device);
  probe->loaded = device.load(program, device.compile(program));
  ir::CallNames names;
  for (const ProbeTensor& tensor : tensors) {
    names.tensors.push_back(tensor.name);
    const std::size_t first = probe->blocks.size();
    for (std::int64_t set = 0; set < rotation; ++set) {
      // Room for a last vector that is not whole.
      probe->blocks.push_back(device.allocate(static_cast<std::size_t>(tensor.bytes) + 32));
    }
    fill(device, tensor, std::span(probe->blocks).subspan(first));
  }
  probe->bound = probe->loaded->bind(names);
  const auto launch = [probe, count = tensors.size(), rotation](StreamHandle stream,
                                                                std::int64_t turn) {
    const auto set = static_cast<std::size_t>(turn % rotation);
    std::vector<ir::TensorLayout> layouts;
    for (std::size_t t = 0; t < count; ++t) {
      const void* memory = probe->blocks[t * static_cast<std::size_t>(rotation) + set];
      layouts.push_back({reinterpret_cast<std::uint64_t>(memory), {}, {}});
    }
    probe->bound->launch(stream, {{}, layouts, {}});
  };
  return {name, launch, rotation};
}

Contender pick_fastest(DeviceImpl& device, std::vector<Contender> contenders, Cache cache) {
  if (contenders.size() == 1) return contenders.front();
  TimingOptions options;
  options.cache = cache;
  options.warm_up = {.least_ms = 50, .most_ms = 50};
  options.least_samples = 8;
  options.budget_ms = 20.0 * static_cast<double>(contenders.size());
  const auto timings = time_interleaved(device, contenders, options).timings;
  // A contender without a sample that counts has the median 0.
  const auto faster = [](const Timing& a, const Timing& b) {
    return a.samples > 0 && (b.samples == 0 || a.median_us < b.median_us);
  };
  const auto best = std::min_element(timings.begin(), timings.end(), faster) - timings.begin();
  return contenders[static_cast<std::size_t>(best)];
}

Contender plain_copy(DeviceImpl& device, double bytes_read, double bytes_written,
                     std::int64_t rotation, Cache cache) {
  const auto reads = static_cast<std::int64_t>(bytes_read);
  const auto writes = static_cast<std::int64_t>(bytes_written);
  std::vector<Contender> contenders;
  for (const int each : copy_probe_sizes(device.target())) {
    contenders.push_back(probe_contender(device, "plain copy of as many bytes",
                                         copy_probe(device.target(), reads, writes, each),
                                         {{"from", reads}, {"to", writes}}, rotation));
  }
  return pick_fastest(device, std::move(contenders), cache);
}

}  // namespace sinter::runtime
