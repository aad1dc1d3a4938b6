// Host scalars on the CPU: from the operator to the call.
#include <doctest/doctest.h>

#include "runtime/executable_impl.h"
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(scaled_sum, (sn::Tensor x, sn::Tensor y, sn::Scalar alpha)) { return x * alpha + y; }
SINTER_OP(scalar_alone, (sn::Scalar alpha, sn::Scalar count)) {
  return {alpha * 2, sn::cast(count, sn::DType::F32), alpha};
}

namespace {

sn::TensorView view_of(std::vector<float>& values) {
  sn::TensorView view;
  view.data = values.data();
  view.shape = {static_cast<std::int64_t>(values.size())};
  return view;
}

sn::Executable compile_scaled_sum() {
  return sn::compile(scaled_sum, sn::Device::cpu(),
                     {sn::f32("n"), sn::f32("n"), sn::scalar(sn::DType::F32)});
}

}  // namespace

TEST_CASE("each call has its own value, and nothing is compiled again") {
  const sn::Executable op = compile_scaled_sum();
  const sn::Stream stream = op.device().make_stream();
  std::vector<float> x = {1, 2, 3};
  std::vector<float> y = {10, 20, 30};
  std::vector<float> out(3);

  CHECK(op.impl().plan().kernels.size() == 1);
  for (const float alpha : {0.5F, -2.0F}) {
    op.run(stream, std::vector{view_of(x), view_of(y), sn::scalar_view(alpha)},
           std::vector{view_of(out)});
    CHECK(out == std::vector<float>{10 + alpha, 20 + 2 * alpha, 30 + 3 * alpha});
  }
}

TEST_CASE("operators of host scalars only have outputs of rank 0") {
  const sn::Executable op = sn::compile(scalar_alone, sn::Device::cpu(),
                                        {sn::scalar(sn::DType::F64), sn::scalar(sn::DType::I32)});
  double alpha = 1.25;
  const int count = -7;
  double twice = 0;
  float cast = 0;
  double same = 0;

  op.run(op.device().make_stream(), std::vector{sn::scalar_view(alpha), sn::scalar_view(count)},
         std::vector{sn::scalar_view(twice), sn::scalar_view(cast), sn::scalar_view(same)});

  CHECK(twice == 2.5);
  CHECK(cast == -7.0F);
  CHECK(same == 1.25);
}

TEST_CASE("a host scalar of another dtype, place or rank is refused") {
  const sn::Executable op = compile_scaled_sum();
  std::vector<float> data(4);
  const auto message = [&](const sn::TensorView& alpha) {
    std::vector<float> out(4);
    try {
      op.run(op.device().make_stream(), std::vector{view_of(data), view_of(data), alpha},
             std::vector{view_of(out)});
    } catch (const sn::UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const double wide = 1;
  const float number = 1;
  sn::TensorView on_gpu = sn::scalar_view(number);
  on_gpu.device_kind = sn::DeviceKind::Cuda;
  sn::TensorView nowhere = sn::scalar_view(number);
  nowhere.data = nullptr;

  CHECK(message(sn::scalar_view(number)) == "no error");
  CHECK(message(sn::scalar_view(wide)) == "input alpha has dtype f64; f32 is needed");
  CHECK(message(on_gpu) == "input alpha lies on cuda:0; a host scalar lies in host memory");
  CHECK(message(nowhere) == "input alpha has a null pointer; memory for shape [] is needed");
  CHECK(message(view_of(data)) == "input alpha has shape [4] of rank 1; [] of rank 0 is needed");
}

TEST_CASE("views of numbers have their dtype") {
  const bool flag = true;
  const std::uint16_t small = 3;
  const long long large = 4;

  CHECK(sn::scalar_view(flag).dtype == sn::DType::Bool);
  CHECK(sn::scalar_view(small).dtype == sn::DType::U16);
  CHECK(sn::scalar_view(large).dtype == sn::DType::I64);
  CHECK(sn::scalar_view(large).shape.empty());
}
