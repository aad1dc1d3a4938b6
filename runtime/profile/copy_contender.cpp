#include "runtime/profile/copy_contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "runtime/check/families.h"
#include "runtime/profile/probe.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kDrawnBytes = std::size_t{4} << 20;

/// Tensors in the memory of a device, each `rotation` times.
class ProbeMemory {
 public:
  ProbeMemory(DeviceImpl& device, std::vector<ProbeTensor> tensors, std::int64_t rotation)
      : device_(device), tensors_(std::move(tensors)), rotation_(rotation) {
    for (const ProbeTensor& tensor : tensors_) {
      const std::size_t first = blocks_.size();
      for (std::int64_t set = 0; set < rotation; ++set) {
        // Room for a last vector that is not whole.
        blocks_.push_back(device.allocate(static_cast<std::size_t>(tensor.bytes) + 32));
      }
      fill(tensor, std::span(blocks_).subspan(first));
    }
  }
  ~ProbeMemory() {
    for (void* block : blocks_) device_.free(block);
  }
  ProbeMemory(const ProbeMemory&) = delete;
  ProbeMemory& operator=(const ProbeMemory&) = delete;

  ir::CallNames names() const {
    ir::CallNames names;
    for (const ProbeTensor& tensor : tensors_) names.tensors.push_back(tensor.name);
    return names;
  }
  std::int64_t rotation() const { return rotation_; }
  std::vector<ir::TensorLayout> at(std::int64_t turn) const {
    const auto set = static_cast<std::size_t>(turn % rotation_);
    std::vector<ir::TensorLayout> layouts;
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
      const void* memory = blocks_[t * static_cast<std::size_t>(rotation_) + set];
      layouts.push_back({reinterpret_cast<std::uint64_t>(memory), {}, {}});
    }
    return layouts;
  }

 private:
  void fill(const ProbeTensor& tensor, std::span<void* const> memories) {
    std::vector<std::byte> host(static_cast<std::size_t>(tensor.bytes));
    // Numbers are drawn for the first part and repeated: drawing takes long, and no cache sees that they repeat.
    const std::size_t drawn = std::min(host.size(), kDrawnBytes);
    const std::size_t whole = drawn / size_bytes(tensor.dtype) * size_bytes(tensor.dtype);
    fill_family(InputFamily::Uniform, tensor.dtype, 7, 0, std::span(host).first(whole));
    for (std::size_t at = drawn; at < host.size(); at += drawn) {
      std::copy_n(host.begin(), std::min(drawn, host.size() - at),
                  host.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (void* memory : memories) device_.copy_in(memory, host.data(), host.size());
  }

  DeviceImpl& device_;
  std::vector<ProbeTensor> tensors_;
  std::int64_t rotation_;
  std::vector<void*> blocks_;  // by tensor and set
};

struct LoadedProbe {
  std::shared_ptr<const ProbeMemory> memory;
  std::shared_ptr<LoadedProgram> loaded;
  std::unique_ptr<BoundProgram> bound;
};

Contender contender_on(DeviceImpl& device, const std::string& name, const codegen::Program& program,
                       const std::shared_ptr<const ProbeMemory>& memory) {
  const auto probe = std::make_shared<LoadedProbe>();
  probe->memory = memory;
  probe->loaded = device.load(program, device.compile(program));
  probe->bound = probe->loaded->bind(memory->names());
  const auto launch = [probe](StreamHandle stream, std::int64_t turn) {
    const std::vector<ir::TensorLayout> tensors = probe->memory->at(turn);
    probe->bound->launch(stream, {{}, tensors, {}});
  };
  return {name, launch, memory->rotation()};
}

}  // namespace

Contender probe_contender(DeviceImpl& device, const std::string& name,
                          const codegen::Program& program,
                          const std::vector<ProbeTensor>& tensors) {
  return contender_on(device, name, program, std::make_shared<ProbeMemory>(device, tensors, 1));
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
  const auto memory = std::make_shared<ProbeMemory>(
      device, std::vector<ProbeTensor>{{"from", reads}, {"to", writes}}, rotation);
  std::vector<Contender> contenders;
  for (const int each : copy_probe_sizes(device.target())) {
    contenders.push_back(contender_on(device, "plain copy of as many bytes",
                                      copy_probe(device.target(), reads, writes, each), memory));
  }
  return pick_fastest(device, std::move(contenders), cache);
}

}  // namespace sinter::runtime
