// Recorded work as a CUDA graph, by capturing a stream.
#include "runtime/cuda/device.h"

namespace sinter::runtime {
namespace {

class CudaGraphWork final : public RecordedWork {
 public:
  CudaGraphWork(const CudaDeviceImpl& device, CudaGraph graph) : device_(device) {
    device.require(driver().instantiate_graph(&exec_, graph, 0), "cuGraphInstantiate");
  }
  ~CudaGraphWork() override {
    try {
      const CudaDeviceImpl::Use use(device_);
      driver().free_graph_exec(exec_);
    } catch (const RuntimeError&) {
      // The device is dead, and its graphs with it.
    }
  }
  CudaGraphWork(const CudaGraphWork&) = delete;
  CudaGraphWork& operator=(const CudaGraphWork&) = delete;

  void launch(StreamHandle stream) override {
    const CudaDeviceImpl::Use use(device_);
    device_.require(driver().launch_graph(exec_, stream), "cuGraphLaunch");
  }

 private:
  const CudaDeviceImpl& device_;
  CudaGraphExec exec_ = nullptr;
};

/// Ends the capture of a stream in any case: one that is left capturing cannot be used again.
class Capture {
 public:
  Capture(const CudaDeviceImpl& device, CudaStream stream) : stream_(stream) {
    // Other threads, and other streams of this one, go on as they please.
    device.require(driver().begin_capture(stream, cu::kCaptureRelaxed), "cuStreamBeginCapture");
  }
  ~Capture() {
    if (!is_ended_) driver().end_capture(stream_, &graph_);
    if (graph_) driver().free_graph(graph_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  CudaGraph end(const CudaDeviceImpl& device) {
    is_ended_ = true;
    device.require(driver().end_capture(stream_, &graph_), "cuStreamEndCapture");
    return graph_;
  }

 private:
  CudaStream stream_;
  CudaGraph graph_ = nullptr;
  bool is_ended_ = false;
};

}  // namespace

std::unique_ptr<RecordedWork> CudaDeviceImpl::record(StreamHandle stream,
                                                     const std::function<void()>& work) {
  const Use use(*this);
  Capture capture(*this, stream);
  work();
  return std::make_unique<CudaGraphWork>(*this, capture.end(*this));
}

}  // namespace sinter::runtime
