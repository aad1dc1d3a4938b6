// The GPU through DeviceImpl: memory, streams, timing, errors.
#include <doctest/doctest.h>

#include <thread>

#include "sinter/error.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

/// c = a + b over n elements, written by hand.
codegen::Program make_add_program() {
  codegen::Program program;
  program.backend = codegen::Backend::Cuda;
  program.sources.push_back({"add.cu", "cuda", R"(
extern "C" __global__ void add(const float* a, const float* b, float* c, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
)"});
  codegen::Entry entry;
  entry.symbol = "add";
  const ir::IndexExpr n = ir::IndexExpr::size("n");
  entry.launch.grid[0] = ir::floor_div(n + 255, 256);
  entry.launch.block[0] = 256;
  for (const char* name : {"a", "b", "c"}) entry.arguments.push_back({.param = name});
  entry.arguments.push_back({.kind = codegen::ArgumentKind::Size, .expr = n});
  program.entries.push_back(entry);
  return program;
}

/// Adds 1..n to itself on the device; returns the last sum.
float add_on(runtime::DeviceImpl& device, runtime::LoadedProgram& loaded, std::int64_t n) {
  std::vector<float> host(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i + 1);
  const std::size_t bytes = host.size() * sizeof(float);
  void* in = device.allocate(bytes);
  void* out = device.allocate(bytes);
  device.copy_in(in, host.data(), bytes);
  runtime::CallBindings call;
  call.facts.sizes = {{"n", n}};
  for (const char* name : {"a", "b", "c"}) {
    void* memory = *name == 'c' ? out : in;
    call.facts.tensors.push_back({name, reinterpret_cast<std::uint64_t>(memory), {n}, {1}});
  }
  const runtime::StreamHandle stream = device.make_stream();
  const double us = device.time_us(stream, [&] { loaded.launch(stream, call); });
  device.synchronize(stream);
  device.copy_out(host.data(), out, bytes);
  device.free_stream(stream);
  device.free(in);
  device.free(out);
  CHECK(us > 0);
  return host.back();
}

}  // namespace

TEST_CASE("recorded work runs each time that it is launched, not when it is recorded") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (device == nullptr) return skip(why);
  void* memory = device->allocate(256);
  unsigned char byte = 9;
  const runtime::StreamHandle stream = device->make_stream();
  const auto read = [&] {
    device->synchronize(stream);
    device->copy_out(&byte, memory, 1);
    return byte;
  };

  device->fill_bytes(stream, memory, 1, 256);
  const auto work = device->record(stream, [&] { device->fill_bytes(stream, memory, 2, 256); });
  CHECK(read() == 1);
  for (int again = 0; again < 2; ++again) {
    device->fill_bytes(stream, memory, 3, 256);
    work->launch(stream);
    CHECK(read() == 2);
  }
  CHECK_THROWS(device->record(stream, [] { throw UserError("given up"); }));
  device->fill_bytes(stream, memory, 4, 256);
  CHECK(read() == 4);

  device->free_stream(stream);
  device->free(memory);
}

TEST_CASE("a device says what it is") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (!device) return skip(why);

  CHECK(device->id() == "cuda:0");
  CHECK(device->target().arch.starts_with("sm_"));
  CHECK(device->target().units > 0);
  CHECK(device->target().memory_gb_per_s > 50);
  CHECK(device->target().fma_gflop_per_s > 500);
  CHECK(device->total_bytes() >= device->free_bytes());
  MESSAGE(device->description(), ", ", codegen::to_string(device->target()));
}

TEST_CASE("a hand-written kernel adds, from several threads") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (!device) return skip(why);
  const codegen::Program program = make_add_program();
  const runtime::Binary binary = device->compile(program);
  const auto loaded = device->load(program, binary);
  CHECK(loaded->resources().at(0).local_bytes == 0);

  float sums[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] { sums[t] = add_on(*device, *loaded, 1000 + t); });
  }
  for (std::thread& thread : threads) thread.join();

  for (int t = 0; t < 4; ++t) CHECK(sums[t] == static_cast<float>(2 * (1000 + t)));
}

TEST_CASE("trap E12: memory is filled, and running out of it is an environment error that passes") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (!device) return skip(why);
  unsigned char bytes[5] = {};

  CHECK_THROWS_AS(device->allocate(std::size_t{1} << 50), EnvironmentError);
  void* memory = device->allocate(5);
  device->fill_bytes(nullptr, memory, 0xab, 5);
  device->copy_out(bytes, memory, 5);
  device->free(memory);

  for (const unsigned char byte : bytes) CHECK(byte == 0xab);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
}

TEST_CASE("a damaged cubin is refused with words") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (!device) return skip(why);
  const codegen::Program program = make_add_program();
  runtime::Binary binary = device->compile(program);
  binary.bytes.resize(binary.bytes.size() / 2);

  CHECK_THROWS_AS(device->load(program, binary), RuntimeError);
}

}  // namespace sinter::tests
