// Streams and the device's own clock.
#include "runtime/cuda/device.h"

namespace sinter::runtime {
namespace {

/// Owns an event of the current context.
class Event {
 public:
  explicit Event(const CudaDeviceImpl& device) : device_(device) {
    device.require(driver().make_event(&event_, 0), "cuEventCreate");
  }
  ~Event() { driver().free_event(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  CudaEvent get() const { return event_; }
  void record(CudaStream stream) const {
    device_.require(driver().record(event_, stream), "cuEventRecord");
  }

 private:
  const CudaDeviceImpl& device_;
  CudaEvent event_ = nullptr;
};

}  // namespace

StreamHandle CudaDeviceImpl::make_stream() {
  const Use use(*this);
  CudaStream stream = nullptr;
  // Not CU_STREAM_NON_BLOCKING: copies on the default stream then wait for this one.
  require(api_.make_stream(&stream, 0), "cuStreamCreate");
  return stream;
}

void CudaDeviceImpl::free_stream(StreamHandle stream) noexcept {
  if (!stream) return;
  CudaContext popped = nullptr;
  if (api_.push_context(context_) != cu::kSuccess) return;
  api_.free_stream(stream);
  api_.pop_context(&popped);
  const std::lock_guard lock(mutex_);
  launched_.erase(stream);
}

void CudaDeviceImpl::synchronize(StreamHandle stream) {
  const Use use(*this);
  require(api_.synchronize(stream), "cuStreamSynchronize");
  const std::lock_guard lock(mutex_);
  launched_.erase(stream);
}

double CudaDeviceImpl::time_us(StreamHandle stream, const std::function<void()>& work) {
  const Use use(*this);
  const Event begin(*this);
  const Event end(*this);
  begin.record(stream);
  work();
  end.record(stream);
  require(api_.wait(end.get()), "cuEventSynchronize");
  float ms = 0;
  require(api_.elapsed_ms(&ms, begin.get(), end.get()), "cuEventElapsedTime");
  return static_cast<double>(ms) * 1e3;
}

}  // namespace sinter::runtime
