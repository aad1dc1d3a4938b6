// Device memory between guard zones.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinter/device.h"

namespace sinter::runtime {

/// Bytes of all elements of a view, one after the other.
std::size_t dense_bytes(const TensorView& view);

/// Room for `size_bytes`, aligned to 256 bytes, with a zone of known bytes on each side.
class GuardedBuffer {
 public:
  GuardedBuffer(const Device& device, std::size_t size_bytes);

  /// The guarded room.
  std::byte* data() const;
  std::size_t size_bytes() const { return size_bytes_; }
  /// Writes the zones, and `poison` into every byte between them.
  void poison(std::byte poison);
  /// Writes the zones, and `bytes` (as many as there is room for) between them.
  void fill(const std::vector<std::byte>& bytes);

  struct Contents {
    std::vector<std::byte> bytes;
    /// Bytes of the zones that were overwritten.
    std::size_t bytes_before = 0;
    std::size_t bytes_after = 0;
  };
  Contents read() const;

 private:
  Buffer buffer_;
  std::size_t size_bytes_;
};

}  // namespace sinter::runtime
