// Zones are as wide as the alignment of memory, so that the room keeps it.
#include "runtime/check/guarded_buffer.h"

#include <algorithm>

#include "reference/host_tensor.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kZoneBytes = 256;
constexpr std::byte kZoneByte{0xa5};

std::size_t count_changed(const std::byte* zone) {
  return kZoneBytes - static_cast<std::size_t>(std::count(zone, zone + kZoneBytes, kZoneByte));
}

}  // namespace

std::size_t dense_bytes(const TensorView& view) {
  return static_cast<std::size_t>(reference::count_elements(view.shape)) * size_bytes(view.dtype);
}

GuardedBuffer::GuardedBuffer(const Device& device, std::size_t size_bytes)
    : buffer_(device.allocate(size_bytes + 2 * kZoneBytes)), size_bytes_(size_bytes) {}

std::byte* GuardedBuffer::data() const {
  return static_cast<std::byte*>(buffer_.data()) + kZoneBytes;
}

void GuardedBuffer::poison(std::byte poison) { fill(std::vector<std::byte>(size_bytes_, poison)); }

void GuardedBuffer::fill(const std::vector<std::byte>& bytes) {
  support::check(bytes.size() == size_bytes_, "{} bytes for a buffer of {}", bytes.size(),
                 size_bytes_);
  std::vector<std::byte> all(size_bytes_ + 2 * kZoneBytes, kZoneByte);
  std::copy(bytes.begin(), bytes.end(), all.begin() + kZoneBytes);
  buffer_.copy_in(all.data(), all.size());
}

GuardedBuffer::Contents GuardedBuffer::read() const {
  std::vector<std::byte> all(size_bytes_ + 2 * kZoneBytes);
  buffer_.copy_out(all.data(), all.size());
  Contents contents;
  contents.bytes_before = count_changed(all.data());
  contents.bytes_after = count_changed(all.data() + kZoneBytes + size_bytes_);
  contents.bytes.assign(all.begin() + kZoneBytes, all.end() - kZoneBytes);
  return contents;
}

}  // namespace sinter::runtime
