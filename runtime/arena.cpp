// Reuse of intermediate memory by stream.
#include "runtime/arena.h"

namespace sinter::runtime {

ArenaPool::~ArenaPool() {
  for (ArenaBlock& block : blocks_) device_.free(block.memory);
}

ArenaPool::Lease::Lease(ArenaPool& pool, StreamHandle stream, std::size_t size_bytes)
    : pool_(pool) {
  if (size_bytes == 0) return;
  const std::lock_guard lock(pool.mutex_);
  for (ArenaBlock& block : pool.blocks_) {
    if (!block.is_busy && block.stream == stream) block_ = &block;
  }
  if (!block_) block_ = &pool.blocks_.emplace_back(ArenaBlock{stream, nullptr, 0, false});
  if (block_->size_bytes < size_bytes) {
    if (block_->memory) {
      pool.device_.synchronize(stream);  // earlier calls may still read the old block
      pool.device_.free(block_->memory);
      block_->memory = nullptr;
      block_->size_bytes = 0;
    }
    block_->memory = pool.device_.allocate(size_bytes);
    block_->size_bytes = size_bytes;
  }
  block_->is_busy = true;
}

ArenaPool::Lease::~Lease() {
  if (!block_) return;
  const std::lock_guard lock(pool_.mutex_);
  block_->is_busy = false;
}

std::byte* ArenaPool::Lease::data() const {
  return block_ ? static_cast<std::byte*>(block_->memory) : nullptr;
}

}  // namespace sinter::runtime
