// The public face of devices, streams and buffers.
#include "sinter/device.h"

#include <charconv>

#include "runtime/device_impl.h"
#include "support/check.h"

namespace sinter {

namespace {

constexpr std::string_view kDeviceForms = "'cpu', 'gpu', 'cuda', 'cuda:<index>' or 'best'";

}  // namespace

Device Device::best() {
  std::string why;
  const auto gpus = runtime::cuda_devices(&why);
  return gpus.empty() ? cpu() : Device(gpus.front());
}

Device Device::cpu() { return Device(runtime::cpu_device()); }

Device Device::cuda(int index) {
  std::string why;
  const auto gpus = runtime::cuda_devices(&why);
  if (gpus.empty()) {
    support::throw_environment("{}; the CPU can be used instead (--device cpu)", why);
  }
  if (index < 0 || static_cast<std::size_t>(index) >= gpus.size()) {
    support::throw_environment("no device cuda:{}; this machine has cuda:0 to cuda:{}", index,
                               gpus.size() - 1);
  }
  return Device(gpus[static_cast<std::size_t>(index)]);
}

Device Device::parse(const std::string& text) {
  if (text == "best") return best();
  if (text == "cpu") return cpu();
  if (text == "gpu" || text == "cuda") return cuda(0);
  constexpr std::string_view kPrefix = "cuda:";
  if (text.starts_with(kPrefix)) {
    int index = -1;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + kPrefix.size(), end, index);
    if (code == std::errc() && stop == end && index >= 0) return cuda(index);
  }
  support::throw_user("device '{}'; {} is needed", text, kDeviceForms);
}

std::vector<Device> Device::all() {
  std::vector<Device> devices;
  std::string why;
  for (runtime::DeviceImpl* impl : runtime::cuda_devices(&why)) devices.push_back(Device(impl));
  devices.push_back(cpu());
  return devices;
}

std::string Device::why_no_gpu() {
  std::string why;
  return runtime::cuda_devices(&why).empty() ? why : std::string();
}

DeviceKind Device::kind() const {
  return impl_->target().backend == codegen::Backend::Cuda ? DeviceKind::Cuda : DeviceKind::Cpu;
}

int Device::index() const {
  const std::string text = id();
  const std::size_t colon = text.find(':');
  return colon == std::string::npos ? 0 : std::stoi(text.substr(colon + 1));
}

std::string Device::id() const { return impl_->id(); }
std::string Device::description() const { return impl_->description(); }
std::size_t Device::total_bytes() const { return impl_->total_bytes(); }
std::size_t Device::free_bytes() const { return impl_->free_bytes(); }

Stream Device::make_stream() const { return {*this, impl_->make_stream(), true}; }
Buffer Device::allocate(std::size_t size_bytes) const {
  return {*this, impl_->allocate(size_bytes), size_bytes};
}

Stream Stream::wrap(const Device& device, void* native) { return {device, native, false}; }
void Stream::synchronize() const { device_.impl().synchronize(native_); }
Stream::~Stream() {
  if (owned_) device_.impl().free_stream(native_);
}
Stream::Stream(Stream&& other) noexcept
    : device_(other.device_), native_(other.native_), owned_(other.owned_) {
  other.owned_ = false;
}

void Buffer::copy_in(const void* host, std::size_t size_bytes) {
  if (size_bytes > size_bytes_) {
    support::throw_user("copy of {} bytes into a buffer of {}", size_bytes, size_bytes_);
  }
  device_.impl().copy_in(data_, host, size_bytes);
}

void Buffer::copy_out(void* host, std::size_t size_bytes) const {
  if (size_bytes > size_bytes_) {
    support::throw_user("copy of {} bytes out of a buffer of {}", size_bytes, size_bytes_);
  }
  device_.impl().copy_out(host, data_, size_bytes);
}

TensorView Buffer::view(DType dtype, std::vector<std::int64_t> shape) const {
  std::size_t needed = sinter::size_bytes(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0) support::throw_user("view with the negative extent {}", extent);
    if (!__builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed)) continue;
    support::throw_user("view of shape [{}]; its bytes do not fit 64 bits", fmt::join(shape, ", "));
  }
  if (needed > size_bytes_) {
    support::throw_user("view of {} bytes over a buffer of {}", needed, size_bytes_);
  }
  TensorView result;
  result.data = data_;
  result.device_kind = device_.kind();
  result.device_index = device_.index();
  result.dtype = dtype;
  result.shape = std::move(shape);
  return result;
}

Buffer::~Buffer() {
  if (data_) device_.impl().free(data_);
}
Buffer::Buffer(Buffer&& other) noexcept
    : device_(other.device_), data_(other.data_), size_bytes_(other.size_bytes_) {
  other.data_ = nullptr;
}

}  // namespace sinter
