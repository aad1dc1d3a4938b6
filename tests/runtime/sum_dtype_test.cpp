// Sums and means whose type is named, on the CPU.
#include <doctest/doctest.h>

#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(named_sums, (sn::Tensor x)) {
  return {sn::sum(x, {0}, {.dtype = sn::DType::F64}), sn::mean(x, {0}, {.dtype = sn::DType::F64})};
}
SINTER_OP(named_integer_sums, (sn::Tensor x)) {
  return {sn::sum(x, {}, {.dtype = sn::DType::I8}), sn::sum(x),
          sn::sum(x, {}, {.dtype = sn::DType::F32})};
}

TEST_CASE("f32 is summed and averaged in f64") {
  const auto op = sn::compile(named_sums, sn::Device::cpu(), {sn::f32("n")});
  std::vector<float> values(1001, 1);
  values[0] = 16777216.0F * 1024;
  sn::TensorView input;
  input.data = values.data();
  input.shape = {1001};
  double sum = 0;
  double mean = 0;

  op.run(op.device().make_stream(), std::vector{input},
         std::vector{sn::scalar_view(sum), sn::scalar_view(mean)});

  CHECK(sum == 16777216.0 * 1024 + 1000);
  CHECK(mean == (16777216.0 * 1024 + 1000) / 1001);
}

TEST_CASE("i8 is summed in i8, which wraps, in i64 where nothing is named, or in f32") {
  const auto op = sn::compile(named_integer_sums, sn::Device::cpu(), {sn::i8("n")});
  std::vector<std::int8_t> values(300, 100);
  sn::TensorView input;
  input.data = values.data();
  input.dtype = sn::DType::I8;
  input.shape = {300};
  std::int8_t wrapped = 0;
  std::int64_t whole = 0;
  float real = 0;

  op.run(op.device().make_stream(), std::vector{input},
         std::vector{sn::scalar_view(wrapped), sn::scalar_view(whole), sn::scalar_view(real)});

  CHECK(wrapped == static_cast<std::int8_t>(30000));
  CHECK(whole == 30000);
  CHECK(real == 30000.0F);
}
