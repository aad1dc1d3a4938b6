// Traps of shapes and alignment (group B) and of names (C11), on the CPU.
#include <doctest/doctest.h>

#include "ir/literal.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using Extents = std::vector<std::int64_t>;

HostArray counted(const Extents& shape, DType dtype) {
  HostArray array{shape, {}, dtype};
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  for (std::int64_t i = 0; i < count; ++i) array.values.push_back(static_cast<double>(i % 5 - 2));
  return array;
}

}  // namespace

TEST_CASE("trap B02: 1 against 0 gives 0") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {t[0] + t[1], t[2] * t[3], sn::broadcast_to(t[4], {0, 0}),
                sn::sum(t[0] + t[1], {0})};
      },
      {{{0, 1}, {}}, make_array({1, 128}), {{2, 0}, {}}, make_array({2, 1}), {{1, 0}, {}}});

  CHECK(results[0].shape == Extents{0, 128});
  CHECK(results[1].shape == Extents{2, 0});
  CHECK(results[2].shape == Extents{0, 0});
  CHECK(results[3].values == std::vector<double>(128, 0));
}

TEST_CASE("trap B06: no tail of the inner dimension is dropped") {
  for (const DType dtype : {DType::F32, DType::F16, DType::BF16, DType::I8}) {
    for (const std::int64_t k : {1, 7, 8, 9, 15, 16, 17, 24, 31, 33}) {
      const HostArray a = counted({64, k}, dtype);
      const HostArray b = counted({k, 64}, dtype);

      const auto result = run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::matmul(t[0], t[1])};
          },
          {a, b})[0];

      std::vector<double> expected;
      for (std::int64_t i = 0; i < 64; ++i) {
        for (std::int64_t j = 0; j < 64; ++j) {
          double sum = 0;
          for (std::int64_t c = 0; c < k; ++c) {
            sum += a.values[static_cast<std::size_t>(i * k + c)] *
                   b.values[static_cast<std::size_t>(c * 64 + j)];
          }
          expected.push_back(sum);  // a small whole number: exact in every dtype
        }
      }
      CHECK(result.values == expected);
    }
  }
}

TEST_CASE("trap B08: slices at 1, 2 and 3 elements, and rows of an odd pitch") {
  for (const DType dtype : {DType::U8, DType::BF16, DType::F32, DType::F64}) {
    const HostArray x = counted({5, 37}, dtype);
    for (const std::int64_t first : {1, 2, 3}) {
      const auto result = run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            const Tensor part = sn::slice(t[0], 1, first, 33);
            return {part + part, sn::cast(sn::sum(part, {1}), DType::F64)};
          },
          {x});

      for (std::int64_t i = 0; i < 5; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < 33; ++j) {
          const double element = ir::as_double(
              ir::make_literal(dtype, x.values[static_cast<std::size_t>(i * 37 + first + j)]));
          sum += element;
          const double twice = dtype == DType::U8
                                   ? static_cast<double>(static_cast<int>(2 * element) % 256)
                                   : 2 * element;
          CHECK(result[0].values[static_cast<std::size_t>(i * 33 + j)] == twice);
        }
        CHECK(result[1].values[static_cast<std::size_t>(i)] == sum);
      }
    }
  }
}

TEST_CASE("trap C11: names of graphs and parameters may be keywords, or very long") {
  const std::string long_name(300, 'a');
  const Executable op = compile_text("graph double(%int: f32[n], %" + long_name +
                                         ": f32[n]) {\n  %0: f32[n] = add(%int, %" + long_name +
                                         ")\n  return %0\n}\n",
                                     Device::cpu());
  std::vector<float> memory{1, 2, 30, 40, 0, 0};
  std::vector<TensorView> views(3);
  for (std::size_t i = 0; i < 3; ++i) {
    views[i].data = memory.data() + 2 * i;
    views[i].shape = {2};
  }

  op.run(Device::cpu().make_stream(), std::span(views).first(2), std::span(views).last(1));

  CHECK(memory[4] == 31);
  CHECK(memory[5] == 42);
}

}  // namespace sinter::tests
