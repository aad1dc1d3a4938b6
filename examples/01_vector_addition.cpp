// The smallest operator: two vectors, one kernel, compiled when the program starts.
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(vector_addition, (sn::Tensor a, sn::Tensor b)) { return a + b; }

int main() {
  constexpr std::int64_t kCount = 100'003;
  const sn::Device device = sn::Device::best();
  const sn::Executable op =
      sn::compile(vector_addition, device, {sn::f32(kCount), sn::f32(kCount)});

  const std::vector<float> a = example::ramp(kCount);
  const std::vector<float> b(static_cast<std::size_t>(kCount), 0.25F);
  const example::DeviceTensor in_a(device, {kCount}, a);
  const example::DeviceTensor in_b(device, {kCount}, b);
  const example::DeviceTensor out(device, {kCount}, a);

  const sn::Stream stream = device.make_stream();
  op.run(stream, std::vector{in_a.view, in_b.view}, std::vector{out.view});
  stream.synchronize();

  const std::vector<float> sum = out.values();
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] != a[i] + b[i]) {
      std::printf("element %zu is %g, not %g\n", i, double(sum[i]), double(a[i] + b[i]));
      return 1;
    }
  }
  std::printf("%s: %lld sums are right\n", device.id().c_str(), static_cast<long long>(kCount));
}
