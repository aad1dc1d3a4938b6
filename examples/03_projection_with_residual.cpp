// The program of the README: a projection with its residual in one kernel.
#include <cmath>
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(attention_output_projection_with_residual,
          (sn::Tensor attn_output, sn::Tensor residual, sn::Tensor o_proj_weight)) {
  return sn::matmul(attn_output, o_proj_weight) + residual;
}

int main() {
  constexpr std::int64_t kBatch = 2;
  constexpr std::int64_t kRows = 24;
  constexpr std::int64_t kWidth = 160;
  const sn::Device device = sn::Device::best();
  const sn::Executable op = sn::compile(
      attention_output_projection_with_residual, device,
      {sn::f32("batch", kRows, kWidth), sn::f32("batch", kRows, kWidth), sn::f32(kWidth, kWidth)});

  const std::vector<float> x = example::ramp(kBatch * kRows * kWidth);
  const std::vector<float> w = example::ramp(kWidth * kWidth);
  const example::DeviceTensor in_x(device, {kBatch, kRows, kWidth}, x);
  const example::DeviceTensor in_w(device, {kWidth, kWidth}, w);
  const example::DeviceTensor out(device, {kBatch, kRows, kWidth}, x);

  const sn::Stream stream = device.make_stream();
  op.run(stream, std::vector{in_x.view, in_x.view, in_w.view}, std::vector{out.view});
  stream.synchronize();

  const std::vector<float> result = out.values();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t row = i / kWidth;
    double expected = x[i];
    for (std::size_t k = 0; k < kWidth; ++k) {
      expected += double(x[row * kWidth + k]) * w[k * kWidth + i % kWidth];
    }
    if (std::abs(result[i] - expected) > 1e-4) {
      std::printf("element %zu is %g, not %g\n", i, double(result[i]), expected);
      return 1;
    }
  }
  std::printf("%s: %zu elements are right\n", device.id().c_str(), result.size());
}
