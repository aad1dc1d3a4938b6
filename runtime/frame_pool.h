// Frames of calls, kept between them so that a call in the steady state allocates nothing.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/call_plan.h"

namespace sinter::runtime {

/// Safe from several threads: each call holds a frame of its own.
class FramePool {
 public:
  class Lease {
   public:
    explicit Lease(FramePool& pool);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    CallFrame& frame() const { return *frame_; }

   private:
    FramePool& pool_;
    std::unique_ptr<CallFrame> frame_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<CallFrame>> idle_;
};

}  // namespace sinter::runtime
