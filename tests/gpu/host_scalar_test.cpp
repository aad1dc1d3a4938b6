// Host scalars on the GPU: by value, so the caller may change them as soon as run() returns.
#include <doctest/doctest.h>

#include "sinter/sinter.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/skip.h"

namespace sn = sinter;

SINTER_OP(gpu_scaled, (sn::Tensor x, sn::Scalar alpha)) { return x * alpha; }

namespace sinter::tests {

TEST_CASE("host scalars of every width give the interpreter's bits") {
  std::string why;
  if (first_gpu(&why) == nullptr) return skip(why);
  for (const std::size_t facts_class : {0, 1, 2}) {
    check_gpu_kernel("host_scalars", {{"n", 1000}}, {.facts_class = facts_class});
  }
}

TEST_CASE("a host scalar may change as soon as run returns") {
  std::string why;
  if (first_gpu(&why) == nullptr) return skip(why);
  const Device device = Device::cuda();
  const Executable op = compile(gpu_scaled, device, {f32("n"), scalar(DType::F32)});
  const Stream stream = device.make_stream();
  const std::vector<float> ones(1 << 20, 1.0F);
  const std::size_t bytes = ones.size() * sizeof(float);
  const auto count = static_cast<std::int64_t>(ones.size());
  Buffer input = device.allocate(bytes);
  input.copy_in(ones.data(), bytes);
  std::vector<Buffer> outputs;
  float alpha = 0;
  for (int call = 0; call < 16; ++call) {
    const Buffer& output = outputs.emplace_back(device.allocate(bytes));
    alpha = static_cast<float>(call);
    op.run(stream, std::vector{input.view(DType::F32, {count}), scalar_view(alpha)},
           std::vector{output.view(DType::F32, {count})});
  }
  stream.synchronize();
  for (std::size_t call = 0; call < outputs.size(); ++call) {
    std::vector<float> host(ones.size());
    outputs[call].copy_out(host.data(), bytes);
    CHECK(host.front() == static_cast<float>(call));
    CHECK(host.back() == static_cast<float>(call));
  }
}

}  // namespace sinter::tests
