// Traps of numbers (group A): inputs that broke comparable systems, on the CPU, fused and unfused.
#include <doctest/doctest.h>

#include <sys/mman.h>

#include <cmath>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;
using support::kNan;

double only(const HostArray& array) { return array.values.at(0); }

HostArray column(std::vector<double> values, DType dtype = DType::F32) {
  const auto count = static_cast<std::int64_t>(values.size());
  return {{count}, std::move(values), dtype};
}

/// Zeroed memory that costs nothing until it is written to.
class ZeroPages {
 public:
  explicit ZeroPages(std::size_t size_bytes)
      : size_bytes_(size_bytes),
        data_(mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~ZeroPages() { munmap(data_, size_bytes_); }
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;
  unsigned char* data() const { return static_cast<unsigned char*>(data_); }

 private:
  std::size_t size_bytes_;
  void* data_;
};

}  // namespace

TEST_CASE("trap A01: max and min propagate NaN in every path") {
  for (const std::int64_t count : {64, 1000, 100000}) {
    for (const std::int64_t rows : {1, 3}) {
      HostArray x{{rows, count},
                  std::vector<double>(static_cast<std::size_t>(rows * count), kInfinity)};
      x.values[0] = kNan;

      const auto results = run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::max(t[0]), sn::min(-t[0]), sn::max(t[0], {1}), sn::min(t[0], {0}),
                    sn::max(sn::transpose(t[0]), {0})};
          },
          {x});

      for (const HostArray& result : results) CHECK(std::isnan(only(result)));
    }
  }
}

TEST_CASE("trap A04: a softmax of scaled values subtracts the maximum of the scaled values") {
  std::vector<double> values;
  for (int i = 0; i < 25; ++i) values.push_back(0.37 * i);
  for (const double scale : {1e14, -1.7197e14, 0.0}) {
    const auto results = run_on_host(
        [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          const Tensor s = sn::sin(t[0]);
          return {sn::softmax(s * scale), s};
        },
        {column(values)});

    std::size_t best = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& sines = results[1].values;
      if (sines[i] * scale > sines[best] * scale) best = i;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = scale == 0 ? 1.0 / 25 : i == best ? 1 : 0;
      CHECK(results[0].values[i] == doctest::Approx(expected));
    }
  }
}

TEST_CASE(
    "trap A06: log_softmax of short rows, and of rows with -inf, is finite where it must be") {
  for (const DType dtype : {DType::F32, DType::BF16}) {
    for (const std::int64_t count : {1, 3, 31, 1023}) {
      HostArray x{{3, count}, std::vector<double>(static_cast<std::size_t>(3 * count), 0), dtype};
      const auto row = static_cast<std::size_t>(count);
      for (std::size_t i = 0; i < row; ++i) x.values[row + i] = i == 0 ? 2 : -kInfinity;
      for (std::size_t i = 0; i < row; ++i) x.values[2 * row + i] = -kInfinity;

      const auto result = run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::log_softmax(t[0])};
          },
          {x})[0];

      const double even = -std::log(static_cast<double>(count));
      CHECK(result.values[row - 1] == doctest::Approx(even).epsilon(0.01));
      CHECK(result.values[row] == 0);
      if (row > 1) CHECK(result.values[2 * row - 1] == -kInfinity);
      CHECK(std::isnan(result.values[3 * row - 1]));
    }
  }
}

TEST_CASE("trap A11: reductions of more than 2^31 and 2^32 elements reach the last one") {
  for (const std::int64_t count :
       {(std::int64_t{1} << 31) + 1000, (std::int64_t{1} << 32) + 1000}) {
    const ZeroPages pages(static_cast<std::size_t>(count));
    pages.data()[count - 1] = 7;
    pages.data()[count / 2] = 3;
    const Executable op = compile_text(
        "graph g(%x: u8[n]) {\n  %0: u8 = max(%x) {axes: [0]}\n  return %0\n}\n", Device::cpu());
    TensorView x;
    x.data = pages.data();
    x.dtype = DType::U8;
    x.shape = {count};
    unsigned char largest = 0;
    std::vector<TensorView> outputs = op.output_views({{x}});
    outputs[0].data = &largest;

    op.run(Device::cpu().make_stream(), {{x}}, outputs);

    CHECK(largest == 7);
  }
}

TEST_CASE("trap A15: variance does not cancel") {
  std::vector<double> row;
  for (int i = 0; i < 16; ++i) row.push_back(100 + i * 1e-3);
  const auto small = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {sn::layer_norm(t[0])}; },
      {column(row)});
  CHECK(only(small[0]) == doctest::Approx(-1.3415).epsilon(1e-3));

  std::vector<double> long_row;
  for (int i = 0; i < 32768; ++i) long_row.push_back(100 + (i % 2 == 0 ? 0.01 : -0.01));
  const auto variance = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {sn::var(t[0])}; },
      {column(long_row)});
  CHECK(only(variance[0]) == doctest::Approx(1e-4).epsilon(0.01));
}

TEST_CASE("trap A18: signed remainders and floor divisions of values known at run time") {
  const HostArray a{{3}, {-6, 6, -7}, DType::I32};
  const HostArray b{{3}, {5, -5, 3}, DType::I32};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {t[0] % t[1], sn::floor_div(t[0], t[1]), t[0] % 5, sn::floor_div(t[0], -5)};
      },
      {a, b});

  CHECK(results[0].values == std::vector<double>{4, -4, 2});
  CHECK(results[1].values == std::vector<double>{-2, -2, -3});
  CHECK(results[2].values == std::vector<double>{4, 1, 3});
  CHECK(results[3].values == std::vector<double>{1, -2, 1});
}

TEST_CASE("trap A21: f8e4m3 saturates, with the tie at 464") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::cast(t[0], DType::F8E4M3),
                sn::cast(sn::cast(t[0], DType::BF16), DType::F8E4M3)};
      },
      {column({1000, 448, 464, 465, -1000})});

  for (const HostArray& result : results) {
    CHECK(result.values == std::vector<double>{448, 448, 448, 448, -448});
  }
}

TEST_CASE("trap A24: the sign of zero survives negation and select") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {-t[0], sn::select(t[0] < 0, 0.0, t[0]), sn::maximum(t[0], -0.0)};
      },
      {column({0.0, -0.0})});

  CHECK(std::signbit(results[0].values[0]));
  CHECK(!std::signbit(results[0].values[1]));
  CHECK(!std::signbit(results[1].values[0]));
  CHECK(std::signbit(results[1].values[1]));
  CHECK(!std::signbit(results[2].values[0]));
  CHECK(std::signbit(results[2].values[1]));
}

TEST_CASE("trap A26: no contraction under a root, and division is exact under a step") {
  const HostArray v = column({-0.25 / 0.75, -0.25 / 0.75});
  const HostArray s = column({0.75, 0.75});
  std::vector<double> numerators;
  std::vector<double> denominators;
  for (int i = 1; i < 200; ++i) {
    for (int j = 1; j < 40; ++j) {
      numerators.push_back(i * j);
      denominators.push_back(j);
    }
  }

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::sqrt(t[0] * t[1] + 0.25), sn::trunc(t[2] / t[3]), sn::floor(t[2] / t[3])};
      },
      {v, s, column(numerators), column(denominators)});

  // (float(-1/3) * 0.75f) rounds to -0.25f: the sum is 0 unless the product keeps its last bits.
  CHECK(results[0].values == std::vector<double>{0, 0});
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    CHECK(results[1].values[i] == numerators[i] / denominators[i]);
    CHECK(results[2].values[i] == numerators[i] / denominators[i]);
  }
}

TEST_CASE(
    "trap A28: one executable serves dense, expanded, transposed and reversed inputs in turn") {
  const Executable op = compile_text(
      "graph g(%x: f32[n, m]) {\n  %0: f32[n, m] = neg(%x)\n  return %0\n}\n", Device::cpu());
  std::vector<float> memory{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<std::pair<std::vector<std::int64_t>, std::size_t>> layouts{
      {{3, 1}, 0}, {{0, 0}, 4}, {{1, 3}, 0}, {{-3, -1}, 8}, {{3, 1}, 0}, {{0, 1}, 3}};
  for (const auto& [strides, first] : layouts) {
    TensorView x;
    x.data = memory.data() + first;
    x.shape = {3, 3};
    x.strides = strides;
    std::vector<float> result(9);
    std::vector<TensorView> outputs = op.output_views({{x}});
    outputs[0].data = result.data();

    op.run(Device::cpu().make_stream(), {{x}}, outputs);

    for (std::int64_t i = 0; i < 3; ++i) {
      for (std::int64_t j = 0; j < 3; ++j) {
        const float element =
            memory[first + static_cast<std::size_t>(i * strides[0] + j * strides[1])];
        CHECK(result[static_cast<std::size_t>(3 * i + j)] == -element);
      }
    }
  }
}

TEST_CASE("trap A35: mean and variance of too few elements are NaN") {
  const HostArray none{{0}, {}};
  const HostArray flat{{0, 1}, {}};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::mean(t[0]),
                sn::var(t[0]),
                sn::mean(t[1], {0}),
                sn::var(t[1], {0}),
                sn::stddev(t[0]),
                sn::var(t[2], {}, false, 3),
                sn::var(t[2], {}, false, 2)};
      },
      {none, flat, column({1, 2})});

  for (const HostArray& result : results) CHECK(std::isnan(only(result)));
}

}  // namespace sinter::tests
