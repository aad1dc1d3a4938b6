// A projection with residual on the CPU against OpenBLAS's bare product of the same size, in one run:
// rounds are interleaved, the product has all threads in both. Exit code 1 where a result is wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "ir/literal.h"
#include "runtime/check/families.h"
#include "runtime/cpu/jit_module.h"
#include "runtime/device_impl.h"
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(projection_with_residual, (sn::Tensor x, sn::Tensor residual, sn::Tensor weight)) {
  return sn::matmul(x, weight) + residual;
}

namespace {

constexpr std::int64_t kRows = 8192;
constexpr std::int64_t kWidth = 2560;
constexpr int kRounds = 7;

std::vector<std::byte> random_tensor(sn::DType dtype, std::int64_t rows, std::uint64_t seed) {
  std::vector<std::byte> data(static_cast<std::size_t>(rows * kWidth) * sn::size_bytes(dtype));
  sn::runtime::fill_family(sn::InputFamily::Uniform, dtype, seed, 0, data);
  return data;
}

sn::TensorView view_of(std::vector<std::byte>& data, sn::DType dtype, std::int64_t rows) {
  sn::TensorView view;
  view.data = data.data();
  view.dtype = dtype;
  view.shape = {rows, kWidth};
  return view;
}

// The operator for one dtype with its own tensors.
class Projection {
 public:
  explicit Projection(sn::DType dtype)
      : x(random_tensor(dtype, kRows, 1)),
        residual(random_tensor(dtype, kRows, 2)),
        weight(random_tensor(dtype, kWidth, 3)),
        out(x.size()),
        dtype_(dtype),
        op_(sn::compile(
            projection_with_residual, sn::Device::cpu(),
            {{dtype, {kRows, kWidth}}, {dtype, {kRows, kWidth}}, {dtype, {kWidth, kWidth}}})),
        stream_(sn::Device::cpu().make_stream()) {}

  double time_ms() {
    const std::vector inputs = {view_of(x, dtype_, kRows), view_of(residual, dtype_, kRows),
                                view_of(weight, dtype_, kWidth)};
    const std::vector outputs = {view_of(out, dtype_, kRows)};
    return sn::Device::cpu().impl().time_us(nullptr, [&] { op_.run(stream_, inputs, outputs); }) *
           1e-3;
  }

  std::vector<std::byte> x, residual, weight, out;

 private:
  sn::DType dtype_;
  sn::Executable op_;
  sn::Stream stream_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

const float* floats(const std::vector<std::byte>& data) {
  return reinterpret_cast<const float*>(data.data());
}

}  // namespace

int main() {
  Projection f32(sn::DType::F32);
  Projection bf16(sn::DType::BF16);
  std::vector<float> bare(static_cast<std::size_t>(kRows * kWidth));
  const SinterCpuJitApi& jit = sn::runtime::cpu_jit();
  std::vector<double> bare_ms, f32_ms, bf16_ms;
  for (int round = 0; round < kRounds; ++round) {
    jit.set_blas_threads(sn::Device::cpu().impl().target().units);
    bare_ms.push_back(1e-3 * sn::Device::cpu().impl().time_us(nullptr, [&] {
      jit.sgemm(0, 0, kRows, kWidth, kWidth, floats(f32.x), kWidth, floats(f32.weight), kWidth,
                bare.data(), kWidth);
    }));
    f32_ms.push_back(f32.time_ms());
    bf16_ms.push_back(bf16.time_ms());
  }
  double difference = 0;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    const double expected = static_cast<double>(bare[i]) + floats(f32.residual)[i];
    difference = std::max(difference, std::abs(expected - floats(f32.out)[i]));
  }
  const double base = median(bare_ms);
  std::printf(
      "%d rounds, medians: OpenBLAS bare %.1f ms, f32 + residual %.1f ms (%.3fx), "
      "bf16 + residual %.1f ms (%.3fx), largest difference %.2g\n",
      kRounds, base, median(f32_ms), median(f32_ms) / base, median(bf16_ms), median(bf16_ms) / base,
      difference);
  return difference < 1e-3 ? 0 : 1;
}
