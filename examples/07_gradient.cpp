// A training step: the gradient of a loss as an operator of its own, and weights that follow it.
#include <cmath>
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(squared_error, (sn::Tensor x, sn::Tensor weight, sn::Tensor target)) {
  return sn::mse_loss(sn::tanh(sn::matmul(x, weight)), target);
}

// A gradient may also stand inside of an operator, which then does the whole step.
SINTER_OP(descend, (sn::Tensor x, sn::Tensor weight, sn::Tensor target, sn::Scalar rate)) {
  const sn::Tensor loss = sn::mse_loss(sn::tanh(sn::matmul(x, weight)), target);
  const std::vector<sn::Tensor> slopes = sn::gradients({loss}, {weight});
  return {loss, weight - rate * slopes[0]};
}

int main() {
  constexpr std::int64_t kRows = 48;
  constexpr std::int64_t kIn = 8;
  constexpr std::int64_t kOut = 3;
  const sn::Device device = sn::Device::best();
  const std::vector<sn::TensorSpec> types{sn::f32("rows", kIn), sn::f32(kIn, kOut),
                                          sn::f32("rows", kOut)};

  // The loss has rank 0, so its gradient takes the same parameters.
  const sn::Executable gradient =
      sn::compile(sn::gradient(squared_error, {"weight"}), device, types);
  std::vector<sn::TensorSpec> step_types = types;
  step_types.push_back(sn::scalar(sn::DType::F32));
  const sn::Executable step = sn::compile(descend, device, step_types);

  const std::vector<float> x = example::ramp(kRows * kIn);
  std::vector<float> target = example::ramp(kRows * kOut);
  for (float& value : target) value *= 0.5F;
  const std::vector<float> weight(kIn * kOut, 0.1F);
  const example::DeviceTensor in_x(device, {kRows, kIn}, x);
  const example::DeviceTensor in_target(device, {kRows, kOut}, target);
  const example::DeviceTensor in_weight(device, {kIn, kOut}, weight);
  const example::DeviceTensor slope(device, {kIn, kOut}, weight);
  const sn::Stream stream = device.make_stream();
  gradient.run(stream, std::vector{in_x.view, in_weight.view, in_target.view},
               std::vector{slope.view});
  stream.synchronize();

  // By hand: 2/n x^T ((y - target) (1 - y^2)).
  const std::vector<float> slopes = slope.values();
  for (std::size_t k = 0; k < kIn; ++k) {
    for (std::size_t c = 0; c < kOut; ++c) {
      double expected = 0;
      for (std::size_t r = 0; r < kRows; ++r) {
        double sum = 0;
        for (std::size_t j = 0; j < kIn; ++j) sum += double(x[r * kIn + j]) * weight[j * kOut + c];
        const double y = std::tanh(sum);
        expected += x[r * kIn + k] * 2 * (y - target[r * kOut + c]) * (1 - y * y) / (kRows * kOut);
      }
      if (std::abs(slopes[k * kOut + c] - expected) > 1e-5) {
        std::printf("slope %zu is %g, not %g\n", k * kOut + c, double(slopes[k * kOut + c]),
                    expected);
        return 1;
      }
    }
  }

  const example::DeviceTensor loss(device, {}, {0});
  const float rate = 0.5F;
  float first = 0;
  for (int i = 0; i < 20; ++i) {
    const bool is_even = i % 2 == 0;
    step.run(stream,
             std::vector{in_x.view, is_even ? in_weight.view : slope.view, in_target.view,
                         sn::scalar_view(rate)},
             std::vector{loss.view, is_even ? slope.view : in_weight.view});
    stream.synchronize();
    if (i == 0) first = loss.values()[0];
  }
  const float last = loss.values()[0];
  if (!(last < first)) {
    std::printf("the loss went from %g to %g\n", double(first), double(last));
    return 1;
  }
  std::printf("%s: the loss fell from %g to %g\n", device.id().c_str(), double(first),
              double(last));
}
