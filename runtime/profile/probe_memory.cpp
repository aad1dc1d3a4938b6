#include "runtime/profile/probe_memory.h"

#include <algorithm>

#include "runtime/check/families.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kDrawnBytes = std::size_t{4} << 20;

}  // namespace

ProbeMemory::ProbeMemory(DeviceImpl& device, std::vector<ProbeTensor> tensors,
                         std::int64_t rotation)
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

ProbeMemory::~ProbeMemory() {
  for (void* block : blocks_) device_.free(block);
}

ir::CallNames ProbeMemory::names() const {
  ir::CallNames names;
  for (const ProbeTensor& tensor : tensors_) names.tensors.push_back(tensor.name);
  return names;
}

std::vector<ir::TensorLayout> ProbeMemory::at(std::int64_t set) const {
  std::vector<ir::TensorLayout> layouts;
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    const void* memory =
        blocks_[t * static_cast<std::size_t>(rotation_) + static_cast<std::size_t>(set)];
    layouts.push_back({reinterpret_cast<std::uint64_t>(memory), {}, {}});
  }
  return layouts;
}

void ProbeMemory::fill(const ProbeTensor& tensor, std::span<void* const> memories) {
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

}  // namespace sinter::runtime
