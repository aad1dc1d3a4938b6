// Several pointwise operators and broadcasts become one kernel, however many there are.
#include <cmath>
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(gated, (sn::Tensor x, sn::Tensor gate, sn::Tensor bias)) {
  return sn::tanh(x + bias) * sn::select(gate > 0.0, gate, 0.0);
}

int main() {
  constexpr std::int64_t kRows = 64;
  constexpr std::int64_t kColumns = 1000;
  const sn::Device device = sn::Device::best();
  const sn::Executable op = sn::compile(
      gated, device, {sn::f32(kRows, kColumns), sn::f32(kRows, kColumns), sn::f32(kColumns)});

  const std::vector<float> x = example::ramp(kRows * kColumns);
  const std::vector<float> gate = example::ramp(kRows * kColumns);
  const std::vector<float> bias = example::ramp(kColumns);
  const example::DeviceTensor in_x(device, {kRows, kColumns}, x);
  const example::DeviceTensor in_gate(device, {kRows, kColumns}, gate);
  const example::DeviceTensor in_bias(device, {kColumns}, bias);
  const example::DeviceTensor out(device, {kRows, kColumns}, x);

  const sn::Stream stream = device.make_stream();
  op.run(stream, std::vector{in_x.view, in_gate.view, in_bias.view}, std::vector{out.view});
  stream.synchronize();

  const std::vector<float> result = out.values();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double kept = gate[i] > 0 ? gate[i] : 0;
    const double expected = std::tanh(double(x[i]) + bias[i % kColumns]) * kept;
    if (std::abs(result[i] - expected) > 1e-6) {
      std::printf("element %zu is %g, not %g\n", i, double(result[i]), expected);
      return 1;
    }
  }
  std::printf("%s: one kernel, %zu elements are right\n", device.id().c_str(), result.size());
}
