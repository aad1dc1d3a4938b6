// More elements than 32 bits can count.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "ir/text.h"
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

}  // namespace sinter::tests
