// Device memory: plain allocations, never managed memory.
#include "runtime/cuda/device.h"
#include "support/check.h"

namespace sinter::runtime {
namespace {

CudaPointer as_pointer(const void* memory) { return reinterpret_cast<CudaPointer>(memory); }

}  // namespace

std::size_t CudaDeviceImpl::free_bytes() const {
  const Use use(*this);
  std::size_t free = 0;
  std::size_t total = 0;
  require(api_.memory_info(&free, &total), "cuMemGetInfo");
  return free;
}

void* CudaDeviceImpl::allocate(std::size_t size_bytes) {
  const Use use(*this);
  CudaPointer pointer = 0;
  // The driver refuses to allocate nothing.
  const CudaResult result = api_.allocate(&pointer, size_bytes == 0 ? 1 : size_bytes);
  if (result == cu::kOutOfMemory) {
    std::size_t free = 0;
    std::size_t total = 0;
    api_.memory_info(&free, &total);
    support::throw_environment("{} is short of memory: {} bytes wanted, {} of {} free", id(),
                               size_bytes, free, total);
  }
  require(result, "cuMemAlloc");
  return reinterpret_cast<void*>(pointer);
}

void CudaDeviceImpl::free(void* memory) noexcept {
  if (!memory) return;
  // On a dead device, and at the end of the process, there is nothing left to free.
  CudaContext popped = nullptr;
  if (api_.push_context(context_) != cu::kSuccess) return;
  api_.free(as_pointer(memory));
  api_.pop_context(&popped);
}

void CudaDeviceImpl::copy_in(void* device, const void* host, std::size_t size_bytes) {
  const Use use(*this);
  if (size_bytes == 0) return;
  require(api_.copy_in(as_pointer(device), host, size_bytes), "cuMemcpyHtoD");
  // From pageable memory the driver returns before the last bytes have arrived.
  require(api_.synchronize(nullptr), "cuStreamSynchronize");
}

void CudaDeviceImpl::copy_out(void* host, const void* device, std::size_t size_bytes) {
  const Use use(*this);
  if (size_bytes == 0) return;
  require(api_.copy_out(host, as_pointer(device), size_bytes), "cuMemcpyDtoH");
}

void CudaDeviceImpl::fill_bytes(StreamHandle stream, void* device, int byte,
                                std::size_t size_bytes) {
  const Use use(*this);
  if (size_bytes == 0) return;
  require(api_.fill(as_pointer(device), static_cast<unsigned char>(byte), size_bytes, stream),
          "cuMemsetD8Async");
}

}  // namespace sinter::runtime
