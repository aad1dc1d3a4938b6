#include "runtime/profile/copy_contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "runtime/profile/probe.h"
#include "runtime/profile/probe_memory.h"

namespace sinter::runtime {

namespace {

struct LoadedProbe {
  std::shared_ptr<const ProbeMemory> memory;
  std::shared_ptr<LoadedProgram> loaded;
  std::unique_ptr<BoundProgram> bound;
};

Contender contender_on(DeviceImpl& device, const std::string& name, const codegen::Program& program,
                       const Binary& binary, const std::shared_ptr<const ProbeMemory>& memory,
                       std::int64_t rotation) {
  const auto probe = std::make_shared<LoadedProbe>();
  probe->memory = memory;
  probe->loaded = device.load(program, binary);
  probe->bound = probe->loaded->bind(memory->names());
  const auto launch = [probe, rotation](StreamHandle stream, std::int64_t turn) {
    const std::vector<ir::TensorLayout> tensors = probe->memory->at(turn % rotation);
    probe->bound->launch(stream, {{}, tensors, {}});
  };
  return {name, launch, rotation};
}

}  // namespace

Contender probe_contender(DeviceImpl& device, const std::string& name,
                          const codegen::Program& program,
                          const std::vector<ProbeTensor>& tensors) {
  return contender_on(device, name, program, device.compile(program),
                      std::make_shared<ProbeMemory>(device, tensors, 1), 1);
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

struct PlainCopies::State {
  std::shared_ptr<const ProbeMemory> memory;
  std::map<std::string, Binary> binaries;  // by their text, which need not have the sizes in it
};

PlainCopies::PlainCopies(DeviceImpl& device) : device_(device), state_(std::make_unique<State>()) {}
PlainCopies::~PlainCopies() = default;

void PlainCopies::make_room(std::int64_t reads, std::int64_t writes, std::int64_t rotation) {
  std::vector<ProbeTensor> tensors = {{"from", reads}, {"to", writes}};
  if (state_->memory != nullptr) {
    const std::vector<ProbeTensor>& held = state_->memory->tensors();
    const bool has_room =
        held[0].bytes >= reads && held[1].bytes >= writes && state_->memory->rotation() >= rotation;
    if (has_room) return;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      // With some to spare: the next one may need a little more again.
      tensors[t].bytes = std::max(tensors[t].bytes + tensors[t].bytes / 16, held[t].bytes);
    }
    rotation = std::max(rotation, state_->memory->rotation());
  }
  // Contenders that use the memory before keep it.
  state_->memory = std::make_shared<ProbeMemory>(device_, tensors, rotation);
}

Contender PlainCopies::make(double bytes_read, double bytes_written, std::int64_t rotation,
                            Cache cache) {
  const auto reads = static_cast<std::int64_t>(bytes_read);
  const auto writes = static_cast<std::int64_t>(bytes_written);
  make_room(reads, writes, rotation);
  std::vector<Contender> contenders;
  for (const int each : copy_probe_sizes(device_.target())) {
    const codegen::Program program = copy_probe(device_.target(), reads, writes, each);
    const std::string& text = program.sources.front().text;
    auto binary = state_->binaries.find(text);
    if (binary == state_->binaries.end()) {
      binary = state_->binaries.emplace(text, device_.compile(program)).first;
    }
    contenders.push_back(contender_on(device_, "plain copy of as many bytes", program,
                                      binary->second, state_->memory, rotation));
  }
  return pick_fastest(device_, std::move(contenders), cache);
}

Contender plain_copy(DeviceImpl& device, double bytes_read, double bytes_written,
                     std::int64_t rotation, Cache cache) {
  return PlainCopies(device).make(bytes_read, bytes_written, rotation, cache);
}

}  // namespace sinter::runtime
