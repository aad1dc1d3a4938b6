// More elements than 32 bits can count.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "ir/text.h"
#include "sinter/compile.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

const char* const kCopy = R"(kernel copy {
  axis i: n
  in x: u8[n]
  out y: u8[n]
  %0: u8 (i) = load() {param: x, map: [i]}
  store(%0) {param: y, map: [i]}
})";

constexpr std::int64_t kCounts[] = {(std::int64_t{1} << 31) + 1000, (std::int64_t{1} << 32) + 1000};

}  // namespace

TEST_CASE("trap A11: copies above 2^31 and 2^32 elements reach the last one") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (!device) return skip(why);
  if (device->free_bytes() < (std::size_t{10} << 30)) return skip("less than 10 GiB of GPU memory");
  const ir::Kernel kernel = ir::parse_kernel(kCopy);
  const codegen::Schedule& generic = cuda_schedule("generic");
  const ir::Facts facts = generic.classes(kernel).at(1);
  const codegen::Config config{"generic", {{"team", 1}, {"threads", 256}}};
  const codegen::Program program = generic.emit(kernel, facts, config, device->target());
  const auto loaded = device->load(program, device->compile(program));

  for (const std::int64_t n : kCounts) {
    const auto bytes = static_cast<std::size_t>(n);
    auto* in = static_cast<unsigned char*>(device->allocate(bytes));
    auto* out = static_cast<unsigned char*>(device->allocate(bytes));
    device->fill_bytes(nullptr, in, 1, bytes);
    device->fill_bytes(nullptr, in + bytes - 1, 7, 1);
    device->fill_bytes(nullptr, out, 0, bytes);
    runtime::CallBindings call;
    call.facts.sizes = {{"n", n}};
    call.facts.tensors = {{"x", reinterpret_cast<std::uint64_t>(in), {n}, {1}},
                          {"y", reinterpret_cast<std::uint64_t>(out), {n}, {1}}};
    CHECK(ir::find_mismatch(generic.classes(kernel).at(0), call.facts) != std::nullopt);

    loaded->launch(nullptr, call);
    device->synchronize(nullptr);

    unsigned char tail[1001] = {};
    device->copy_out(tail, out + bytes - sizeof(tail), sizeof(tail));
    unsigned char middle = 0;
    device->copy_out(&middle, out + (std::size_t{1} << 31) - 1, 1);
    CHECK(tail[0] == 1);
    CHECK(tail[999] == 1);
    CHECK(tail[1000] == 7);
    CHECK(middle == 1);
    device->free(in);
    device->free(out);
  }
}

TEST_CASE("trap A08: rows of a softmax above 2^31 elements are those that they should be") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  if (device.free_bytes() < (std::size_t{10} << 30)) return skip("less than 10 GiB of GPU memory");
  constexpr std::int64_t kRows = (std::int64_t{1} << 21) + 8;
  constexpr std::size_t kRowBytes = 2048;
  const Executable op = compile_text(
      "graph g(%x: f16[n, 1024]) {\n  %0: f16[n, 1024] = softmax(%x) {axis: 1}\n  return %0\n}\n",
      device);
  const Buffer x = device.allocate(kRows * kRowBytes);
  const Buffer y = device.allocate(kRows * kRowBytes);
  // f16 0x3c3c everywhere but in the first and the last row, which have one larger element.
  std::vector<std::uint16_t> row(1024, 0x3c3c);
  row[100] = 0x4900;  // 10
  auto* in = static_cast<std::byte*>(x.data());
  auto* out = static_cast<std::byte*>(y.data());
  device.impl().fill_bytes(nullptr, in, 0x3c, kRows * kRowBytes);
  device.impl().copy_in(in, row.data(), kRowBytes);
  device.impl().copy_in(in + (kRows - 1) * kRowBytes, row.data(), kRowBytes);
  const std::vector<TensorView> inputs{x.view(DType::F16, {kRows, 1024})};
  const std::vector<TensorView> outputs{y.view(DType::F16, {kRows, 1024})};
  const Stream stream = device.make_stream();

  op.run(stream, inputs, outputs);
  stream.synchronize();

  std::vector<std::uint16_t> first(1024);
  std::vector<std::uint16_t> last(1024);
  std::vector<std::uint16_t> even(1024);
  device.impl().copy_out(first.data(), out, kRowBytes);
  device.impl().copy_out(last.data(), out + (kRows - 1) * kRowBytes, kRowBytes);
  device.impl().copy_out(even.data(), out + (kRows - 2) * kRowBytes, kRowBytes);
  CHECK(last == first);
  CHECK(first[100] > first[0]);
  CHECK(even == std::vector<std::uint16_t>(1024, 0x1400));  // 1 / 1024
}

TEST_CASE("trap A11: a scan and a maximum of more than 2^32 elements reach the last one") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  constexpr std::size_t kBytes = std::size_t{309504} * 16384 * 4;
  if (device.free_bytes() < 3 * kBytes) return skip("less than 61 GB of GPU memory");
  const Executable op = compile_text(
      "graph g(%x: f32[n, 1, 16384]) {\n  %0: f32[n, 1, 16384] = cumsum(%x) {axis: 1}\n"
      "  %1: f32 = max(%0) {axes: [0, 1, 2]}\n  return %1\n}\n",
      device);
  const Buffer x = device.allocate(kBytes);
  const Buffer y = device.allocate(4);
  const float one = 1;
  device.impl().fill_bytes(nullptr, x.data(), 0, kBytes);
  device.impl().copy_in(static_cast<std::byte*>(x.data()) + kBytes - 4, &one, 4);
  const std::vector<TensorView> inputs{x.view(DType::F32, {309504, 1, 16384})};
  const std::vector<TensorView> outputs{y.view(DType::F32, {})};
  const Stream stream = device.make_stream();

  op.run(stream, inputs, outputs);
  stream.synchronize();

  float largest = 0;
  y.copy_out(&largest, 4);
  CHECK(largest == 1);
}

}  // namespace sinter::tests
