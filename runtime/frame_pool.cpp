#include "runtime/frame_pool.h"

namespace sinter::runtime {

FramePool::Lease::Lease(FramePool& pool) : pool_(pool) {
  {
    const std::lock_guard lock(pool.mutex_);
    if (!pool.idle_.empty()) {
      frame_ = std::move(pool.idle_.back());
      pool.idle_.pop_back();
    }
  }
  if (!frame_) frame_ = std::make_unique<CallFrame>();
}

FramePool::Lease::~Lease() {
  const std::lock_guard lock(pool_.mutex_);
  pool_.idle_.push_back(std::move(frame_));
}

}  // namespace sinter::runtime
