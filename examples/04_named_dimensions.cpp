// One compiled operator serves every size of its named dimensions, zero included.
#include <cmath>
#include <cstdio>

#include "examples/host_data.h"

namespace sn = sinter;

SINTER_OP(row_mean_of_squares, (sn::Tensor x)) { return sn::mean(x * x, {-1}); }

namespace {

bool is_right(const sn::Executable& op, const sn::Device& device, std::int64_t rows,
              std::int64_t columns) {
  const std::vector<float> x = example::ramp(rows * columns);
  const example::DeviceTensor in(device, {rows, columns}, x);
  const example::DeviceTensor out(device, {rows},
                                  std::vector<float>(static_cast<std::size_t>(rows), -1.0F));
  const sn::Stream stream = device.make_stream();
  op.run(stream, std::vector{in.view}, std::vector{out.view});
  stream.synchronize();

  const std::vector<float> result = out.values();
  for (std::size_t row = 0; row < result.size(); ++row) {
    double expected = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      const double value = x[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
      expected += value * value / static_cast<double>(columns);
    }
    if (std::abs(result[row] - expected) > 1e-5) {
      std::printf("row %zu of [%lld, %lld] is %g, not %g\n", row, static_cast<long long>(rows),
                  static_cast<long long>(columns), double(result[row]), expected);
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  const sn::Device device = sn::Device::best();
  const sn::Executable op = sn::compile(row_mean_of_squares, device, {sn::f32("rows", "columns")});
  for (const std::int64_t rows : {0, 1, 7, 64}) {
    for (const std::int64_t columns : {1, 5, 64, 1001}) {
      if (!is_right(op, device, rows, columns)) return 1;
    }
  }
  std::printf("%s: 16 shapes are right\n", device.id().c_str());
}
