// A number that changes from call to call: passed with the launch, compiled once.
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(axpy, (sn::Tensor x, sn::Tensor y, sn::Scalar alpha)) { return alpha * x + y; }

int main() {
  constexpr std::int64_t kCount = 10'007;
  const sn::Device device = sn::Device::best();
  const sn::Executable op =
      sn::compile(axpy, device, {sn::f32("n"), sn::f32("n"), sn::scalar(sn::DType::F32)});

  const std::vector<float> x = example::ramp(kCount);
  const std::vector<float> y(static_cast<std::size_t>(kCount), 0.5F);
  const example::DeviceTensor in_x(device, {kCount}, x);
  const example::DeviceTensor in_y(device, {kCount}, y);
  const example::DeviceTensor out(device, {kCount}, x);

  const sn::Stream stream = device.make_stream();
  for (const float alpha : {2.0F, -0.5F}) {
    op.run(stream, std::vector{in_x.view, in_y.view, sn::scalar_view(alpha)},
           std::vector{out.view});
    stream.synchronize();
    const std::vector<float> result = out.values();
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] != alpha * x[i] + y[i]) {
        std::printf("element %zu for alpha %g is %g\n", i, double(alpha), double(result[i]));
        return 1;
      }
    }
  }
  std::printf("%s: two values of alpha, one kernel\n", device.id().c_str());
}
