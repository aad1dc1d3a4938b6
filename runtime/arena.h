// Memory for intermediates and workspaces, kept between calls.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>

#include "runtime/device_impl.h"

namespace sinter::runtime {

/// Blocks of device memory, each tied to one stream: work on a stream is ordered, so a block may
/// be used again as soon as the call that used it has been enqueued.
class ArenaPool {
 public:
  explicit ArenaPool(DeviceImpl& device) : device_(device) {}
  ~ArenaPool();
  ArenaPool(const ArenaPool&) = delete;
  ArenaPool& operator=(const ArenaPool&) = delete;

  /// A block held for the enqueuing of one call.
  class Lease {
   public:
    Lease(ArenaPool& pool, StreamHandle stream, std::size_t size_bytes);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    /// The block, 256-byte aligned; null where no memory was asked for.
    std::byte* data() const;

   private:
    struct ArenaBlock* block_ = nullptr;
    ArenaPool& pool_;
  };

 private:
  friend struct ArenaBlock;
  DeviceImpl& device_;
  std::mutex mutex_;
  std::list<struct ArenaBlock> blocks_;
};

struct ArenaBlock {
  StreamHandle stream = nullptr;
  void* memory = nullptr;
  std::size_t size_bytes = 0;
  bool is_busy = false;
};

}  // namespace sinter::runtime
